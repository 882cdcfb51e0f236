import { type GroupKind, groupKindKey } from '@policy-machinery/resource';

/** A kind of objects with an effect on requests that nothing here looks at. */
export interface UnconsideredKind extends GroupKind {
  /** The project that defines the kind: `Istio`. */
  readonly system: string;
  /** Whether the objects route requests, or change their handling by data planes. */
  readonly effect: 'routes' | 'changes';
  /** The page about the kind. */
  readonly source: string;
}

/** Returns rows for kinds of one group with one effect; the source is an address without its scheme. */
const rowsOf =
  (effect: UnconsideredKind['effect']) =>
  (system: string, group: string, kinds: readonly string[], source: string): readonly UnconsideredKind[] =>
    kinds.map((kind) => ({ system, group, kind, effect, source: `https://${source}` }));
const [routes, changes] = [rowsOf('routes'), rowsOf('changes')];

const istio = 'istio.io/latest/docs/reference/config';
const kubernetes = 'kubernetes.io/docs';
const mutation = 'open-policy-agent.github.io/gatekeeper/website/docs/mutation/';
const kong = 'developer.konghq.com/kubernetes-ingress-controller/reference/custom-resources/';
const traefik = 'doc.traefik.io/traefik/reference/routing-configuration/kubernetes/crd/';

/** Kinds of objects that route requests beside Gateway API, or that change a data plane in any way. */
export const unconsideredKinds: readonly UnconsideredKind[] = [
  changes(
    'Envoy Gateway',
    'gateway.envoyproxy.io',
    ['EnvoyPatchPolicy'],
    'gateway.envoyproxy.io/docs/tasks/extensibility/envoy-patch-policy/',
  ),
  changes('Istio', 'networking.istio.io', ['EnvoyFilter'], `${istio}/networking/envoy-filter/`),
  changes('Istio', 'extensions.istio.io', ['WasmPlugin'], `${istio}/proxy_extensions/wasm-plugin/`),
  changes(
    'NGINX Gateway Fabric',
    'gateway.nginx.org',
    ['SnippetsFilter', 'SnippetsPolicy'],
    'docs.nginx.com/nginx-gateway-fabric/traffic-management/snippets/',
  ),
  changes(
    'Kubernetes',
    'admissionregistration.k8s.io',
    ['MutatingAdmissionPolicy'],
    `${kubernetes}/reference/access-authn-authz/mutating-admission-policy/`,
  ),
  changes('Kyverno', 'kyverno.io', ['ClusterPolicy', 'Policy'], 'kyverno.io/docs/policy-types/cluster-policy/overview'),
  changes('Kyverno', 'policies.kyverno.io', ['MutatingPolicy'], 'kyverno.io/docs/policy-types/mutating-policy/'),
  changes('Gatekeeper', 'mutations.gatekeeper.sh', ['Assign', 'ModifySet', 'AssignMetadata'], mutation),
  routes('Kubernetes', 'networking.k8s.io', ['Ingress'], `${kubernetes}/concepts/services-networking/ingress/`),
  routes('Kubernetes', 'extensions', ['Ingress'], `${kubernetes}/concepts/services-networking/ingress/`),
  routes('Istio', 'networking.istio.io', ['VirtualService'], `${istio}/networking/virtual-service/`),
  routes(
    'OpenShift',
    'route.openshift.io',
    ['Route'],
    'docs.openshift.com/container-platform/latest/networking/routes/',
  ),
  routes('Contour', 'projectcontour.io', ['HTTPProxy'], 'projectcontour.io/docs/main/config/fundamentals/'),
  routes('Traefik', 'traefik.io', ['IngressRoute', 'IngressRouteTCP', 'IngressRouteUDP'], traefik),
  routes(
    'NGINX Ingress Controller',
    'k8s.nginx.org',
    ['VirtualServer', 'TransportServer'],
    'docs.nginx.com/nginx-ingress-controller/configuration/',
  ),
  routes('Kong', 'configuration.konghq.com', ['TCPIngress', 'UDPIngress'], kong),
  routes(
    'Gloo Edge',
    'gateway.solo.io',
    ['VirtualService'],
    'docs.solo.io/gloo-edge/latest/introduction/architecture/',
  ),
  routes(
    'APISIX',
    'apisix.apache.org',
    ['ApisixRoute'],
    'apisix.apache.org/docs/ingress-controller/concepts/apisix_route/',
  ),
  routes('Emissary', 'getambassador.io', ['Mapping'], 'emissary-ingress.dev/docs/3.10/topics/using/intro-mappings/'),
].flat();

const byKey: ReadonlyMap<string, UnconsideredKind> = new Map(unconsideredKinds.map((it) => [groupKindKey(it), it]));

/** Returns a kind of objects with an effect on requests that nothing here looks at; `undefined` for other kinds. */
export function unconsideredKind(kind: GroupKind): UnconsideredKind | undefined {
  return byKey.get(groupKindKey(kind));
}
