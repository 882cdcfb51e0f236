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

const routes = (system: string, group: string, kind: string, source: string): UnconsideredKind => {
  return { system, group, kind, effect: 'routes', source };
};
const changes = (system: string, group: string, kind: string, source: string): UnconsideredKind => {
  return { system, group, kind, effect: 'changes', source };
};

/** Kinds of objects that route requests beside Gateway API, or that change a data plane in any way. */
export const unconsideredKinds: readonly UnconsideredKind[] = [
  changes(
    'Envoy Gateway',
    'gateway.envoyproxy.io',
    'EnvoyPatchPolicy',
    'https://gateway.envoyproxy.io/docs/tasks/extensibility/envoy-patch-policy/',
  ),
  changes(
    'Istio',
    'networking.istio.io',
    'EnvoyFilter',
    'https://istio.io/latest/docs/reference/config/networking/envoy-filter/',
  ),
  changes(
    'Istio',
    'extensions.istio.io',
    'WasmPlugin',
    'https://istio.io/latest/docs/reference/config/proxy_extensions/wasm-plugin/',
  ),
  changes(
    'NGINX Gateway Fabric',
    'gateway.nginx.org',
    'SnippetsFilter',
    'https://docs.nginx.com/nginx-gateway-fabric/traffic-management/snippets/',
  ),
  changes(
    'NGINX Gateway Fabric',
    'gateway.nginx.org',
    'SnippetsPolicy',
    'https://docs.nginx.com/nginx-gateway-fabric/traffic-management/snippets/',
  ),
  changes(
    'Kubernetes',
    'admissionregistration.k8s.io',
    'MutatingAdmissionPolicy',
    'https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/',
  ),
  ...['ClusterPolicy', 'Policy'].map((kind) =>
    changes('Kyverno', 'kyverno.io', kind, 'https://kyverno.io/docs/policy-types/cluster-policy/overview'),
  ),
  changes('Kyverno', 'policies.kyverno.io', 'MutatingPolicy', 'https://kyverno.io/docs/policy-types/mutating-policy/'),
  ...['Assign', 'ModifySet', 'AssignMetadata'].map((kind) =>
    changes(
      'Gatekeeper',
      'mutations.gatekeeper.sh',
      kind,
      'https://open-policy-agent.github.io/gatekeeper/website/docs/mutation/',
    ),
  ),
  routes(
    'Kubernetes',
    'networking.k8s.io',
    'Ingress',
    'https://kubernetes.io/docs/concepts/services-networking/ingress/',
  ),
  routes('Kubernetes', 'extensions', 'Ingress', 'https://kubernetes.io/docs/concepts/services-networking/ingress/'),
  routes(
    'Istio',
    'networking.istio.io',
    'VirtualService',
    'https://istio.io/latest/docs/reference/config/networking/virtual-service/',
  ),
  routes(
    'OpenShift',
    'route.openshift.io',
    'Route',
    'https://docs.openshift.com/container-platform/latest/networking/routes/',
  ),
  routes('Contour', 'projectcontour.io', 'HTTPProxy', 'https://projectcontour.io/docs/main/config/fundamentals/'),
  ...['IngressRoute', 'IngressRouteTCP', 'IngressRouteUDP'].map((kind) =>
    routes(
      'Traefik',
      'traefik.io',
      kind,
      'https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/crd/',
    ),
  ),
  ...['VirtualServer', 'TransportServer'].map((kind) =>
    routes(
      'NGINX Ingress Controller',
      'k8s.nginx.org',
      kind,
      'https://docs.nginx.com/nginx-ingress-controller/configuration/',
    ),
  ),
  ...['TCPIngress', 'UDPIngress'].map((kind) =>
    routes(
      'Kong',
      'configuration.konghq.com',
      kind,
      'https://developer.konghq.com/kubernetes-ingress-controller/reference/custom-resources/',
    ),
  ),
  routes(
    'Gloo Edge',
    'gateway.solo.io',
    'VirtualService',
    'https://docs.solo.io/gloo-edge/latest/introduction/architecture/',
  ),
  routes(
    'APISIX',
    'apisix.apache.org',
    'ApisixRoute',
    'https://apisix.apache.org/docs/ingress-controller/concepts/apisix_route/',
  ),
  routes(
    'Emissary',
    'getambassador.io',
    'Mapping',
    'https://emissary-ingress.dev/docs/3.10/topics/using/intro-mappings/',
  ),
];

const byKey: ReadonlyMap<string, UnconsideredKind> = new Map(unconsideredKinds.map((it) => [groupKindKey(it), it]));

/** Returns a kind of objects with an effect on requests that nothing here looks at; `undefined` for other kinds. */
export function unconsideredKind(kind: GroupKind): UnconsideredKind | undefined {
  return byKey.get(groupKindKey(kind));
}
