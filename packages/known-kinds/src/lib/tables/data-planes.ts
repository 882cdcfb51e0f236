import type { DataPlane } from '@policy-machinery/gateway-api';

/** A fact about a data plane, with its source. */
export interface Sourced<Value> {
  readonly value: Value;
  /** The page, the source file or the thread with the fact. */
  readonly source: string;
}

type SourcedFacts = { readonly [Fact in keyof DataPlane]?: Sourced<Exclude<DataPlane[Fact], 'both' | undefined>> };

/** Facts about the data plane of a system, where Gateway API leaves a choice to implementations. A fact that is absent is not known. */
export interface KnownDataPlane extends SourcedFacts {
  /** The project: `Envoy Gateway`. */
  readonly system: string;
  /** The domains of its controllers, in the `controllerName` of GatewayClasses: `gateway.envoyproxy.io`. */
  readonly controllers: readonly string[];
}

const github = 'https://github.com';
const fact = <Value extends string>(value: Value, source: string): Sourced<Value> => ({ value, source });

const agentgateway = `${github}/agentgateway/agentgateway/blob/main`;
const contour = `${github}/projectcontour/contour/blob/main`;
const envoyGateway = `${github}/envoyproxy/gateway/blob/main`;
const istio = `${github}/istio/istio/blob/master`;
const kgateway = `${github}/kgateway-dev/kgateway/blob/main`;
const nginx = `${github}/nginx/nginx-gateway-fabric/blob/main`;
/** The conformance reports of systems, with the features that they support. A source for `supported` is the oldest report about it, and all later ones agree. */
const reports = `${github}/kubernetes-sigs/gateway-api/blob/main/conformance/reports`;

/** The thread where implementers report which hostnames decide. */
const hostnameThread = `${github}/kubernetes-sigs/gateway-api/issues/5120`;

/** The data planes of existing systems. */
export const dataPlanes: readonly KnownDataPlane[] = [
  {
    system: 'agentgateway',
    controllers: ['agentgateway.dev'],
    sharedHostnames: fact('allowed', `${agentgateway}/controller/pkg/agentgateway/translator/conversion.go`),
    hostnamePrecedence: fact('route', hostnameThread),
    regularExpressionPaths: fact('after-prefixes', `${agentgateway}/crates/agentgateway/src/http/route.rs`),
    caCertificatesInSecrets: fact('accepted', `${agentgateway}/controller/pkg/agentgateway/translator/conversion.go`),
    listenerIsolation: fact('supported', `${reports}/v1.3.0/agentgateway-agentgateway/experimental-0.6.0-report.yaml`),
    // Misdirected requests are refused by 1.3.1; earlier versions are not known to do so.
  },
  {
    system: 'AWS Load Balancer Controller',
    controllers: ['gateway.k8s.aws'],
    sharedHostnames: fact('refused', `${github}/kubernetes-sigs/aws-load-balancer-controller/issues/4793`),
    listenerIsolation: fact('unsupported', `${reports}/v1.6/aws-load-balancer-controller/conformance-report.yaml`),
  },
  {
    system: 'Cilium',
    controllers: ['io.cilium'],
    hostnamePrecedence: fact('intersection', `${github}/cilium/cilium/blob/main/operator/pkg/model/helpers.go`),
    listenerIsolation: fact('supported', `${reports}/v1.1.0/cilium-cilium/experimental-1.16-default-report.yaml`),
  },
  {
    system: 'Contour',
    controllers: ['projectcontour.io'],
    sharedHostnames: fact('allowed', `${contour}/internal/dag/gatewayapi_processor.go`),
    hostnamePrecedence: fact('intersection', `${contour}/internal/gatewayapi/helpers.go`),
    regularExpressionPaths: fact('before-prefixes', `${contour}/internal/sorter/sorter.go`),
    listenersWithoutTls: fact('refused', `${contour}/internal/dag/gatewayapi_processor.go`),
    misdirectedRequests: fact('refused', `${contour}/internal/envoy/v3/listener.go`),
  },
  {
    system: 'Envoy Gateway',
    controllers: ['gateway.envoyproxy.io'],
    sharedHostnames: fact(
      'allowed',
      `${envoyGateway}/internal/gatewayapi/testdata/grpcroute-mixed-with-httproute.out.yaml`,
    ),
    hostnamePrecedence: fact('intersection', `${envoyGateway}/internal/gatewayapi/helpers.go`),
    missingPorts: fact(
      'refused',
      `${envoyGateway}/internal/gatewayapi/testdata/httproute-with-invalid-backend-ref-bad-port.out.yaml`,
    ),
    regularExpressionPaths: fact('before-prefixes', `${envoyGateway}/internal/gatewayapi/sort.go`),
    listenerIsolation: fact('supported', `${reports}/v1.1.0/envoy-gateway/experimental-v1.1.0-default-report.yaml`),
    listenersWithoutTls: fact('refused', `${envoyGateway}/internal/gatewayapi/validate.go`),
    claimsWithoutCertificate: fact('dropped', `${envoyGateway}/internal/gatewayapi/listener.go`),
    caCertificatesInSecrets: fact('accepted', `${envoyGateway}/internal/gatewayapi/backendtlspolicy.go`),
    adjacentSlashes: fact('merged', `${envoyGateway}/api/v1alpha1/pathsettings_types.go`),
    sharedProxies: fact('by class', `${envoyGateway}/internal/gatewayapi/validate.go`),
    misdirectedRequests: fact(
      'served',
      `${envoyGateway}/test/e2e/tests/httproute-https-listener-detect-misdirected-requests.go`,
    ),
  },
  {
    system: 'GKE Gateway',
    controllers: ['networking.gke.io'],
    listenerIsolation: fact('unsupported', `${reports}/v1.6/gke-gateway/v1.6.0-gke-report.yaml`),
  },
  {
    system: 'Gloo Gateway',
    controllers: ['solo.io'],
    listenerIsolation: fact('unsupported', `${reports}/v1.4.1/gloo-gateway/v1.21.3-report.yaml`),
  },
  {
    system: 'Istio',
    controllers: ['istio.io'],
    sharedHostnames: fact('allowed', `${istio}/pilot/pkg/config/kube/gateway/route_collections.go`),
    missingPorts: fact('accepted', `${istio}/pilot/pkg/config/kube/gateway/conversion.go`),
    listenerIsolation: fact('supported', `${reports}/v1.1.0/istio-istio/experimental-1.22-default-report.yaml`),
    regularExpressionPaths: fact('after-prefixes', `${istio}/pilot/pkg/config/kube/gateway/conversion.go`),
    listenersWithoutTls: fact('refused', `${istio}/pilot/pkg/config/kube/gateway/conversion.go`),
    caCertificatesInSecrets: fact('accepted', `${istio}/pilot/pkg/config/kube/gateway/conversion.go`),
    adjacentSlashes: fact('kept', `${istio}/pilot/pkg/networking/core/listener_builder.go`),
  },
  {
    system: 'kgateway',
    controllers: ['kgateway.dev'],
    sharedHostnames: fact('allowed', `${github}/kubernetes-sigs/gateway-api/pull/4598`),
    hostnamePrecedence: fact('intersection', hostnameThread),
    regularExpressionPaths: fact(
      'before-prefixes',
      `${kgateway}/internal/kgateway/translator/routeutils/sortable_route.go`,
    ),
    adjacentSlashes: fact('merged', `${kgateway}/internal/kgateway/translator/irtranslator/fc.go`),
    // Listeners are isolated as of 2.4 only, so that it depends on the version.
  },
  {
    system: 'NGINX Gateway Fabric',
    controllers: ['gateway.nginx.org'],
    sharedHostnames: fact('allowed', `${nginx}/internal/controller/state/dataplane/sort.go`),
    hostnamePrecedence: fact('intersection', hostnameThread),
    missingPorts: fact('refused', `${nginx}/internal/controller/state/graph/backend_refs.go`),
    regularExpressionPaths: fact(
      'before-prefixes',
      'https://nginx.org/en/docs/http/ngx_http_core_module.html#location',
    ),
    listenersWithoutTls: fact('refused', `${nginx}/internal/controller/state/graph/gateway_listener.go`),
    claimsWithoutCertificate: fact('kept', `${nginx}/internal/controller/state/graph/gateway_listener.go`),
    adjacentSlashes: fact('merged', 'https://nginx.org/en/docs/http/ngx_http_core_module.html#merge_slashes'),
    // Listeners are isolated as of 2.0 only.
    misdirectedRequests: fact('refused', `${nginx}/internal/controller/nginx/config/maps.go`),
  },
  {
    system: 'Traefik',
    controllers: ['traefik.io'],
    sharedHostnames: fact('refused', `${github}/traefik/traefik/pull/13421`),
    listenerIsolation: fact('unsupported', `${reports}/v1.6/traefik-traefik/experimental-v3.7.10-default-report.yaml`),
  },
];

const byController = new Map(dataPlanes.flatMap((known) => known.controllers.map((domain) => [domain, known])));

/**
 * Returns facts about the data plane of the Gateways of a controller, for `gatewayApi({ dataPlane: dataPlaneOf })`.
 *
 * @param controllerName The `controllerName` of a GatewayClass: `gateway.envoyproxy.io/gatewayclass-controller`. Default: not known.
 * @returns The known facts; none for a controller that is not in the table.
 */
export function dataPlaneOf(controllerName?: string): DataPlane {
  const {
    system: _system,
    controllers: _controllers,
    ...facts
  } = byController.get(domainOf(controllerName ?? '')) ?? {};
  return Object.fromEntries(Object.entries(facts).map(([fact, { value }]) => [fact, value]));
}

/** Returns the domain of a controller, its key in the tables. */
export function domainOf(controllerName: string): string {
  return controllerName.split('/', 1)[0] ?? '';
}
