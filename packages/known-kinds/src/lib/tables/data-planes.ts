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
const accepted = (source: string) => ({ value: 'accepted', source }) as const;
const allowed = (source: string) => ({ value: 'allowed', source }) as const;
const refused = (source: string) => ({ value: 'refused', source }) as const;
const merged = (source: string) => ({ value: 'merged', source }) as const;
const kept = (source: string) => ({ value: 'kept', source }) as const;
const beforePrefixes = (source: string) => ({ value: 'before-prefixes', source }) as const;
const afterPrefixes = (source: string) => ({ value: 'after-prefixes', source }) as const;
const served = (source: string) => ({ value: 'served', source }) as const;
const dropped = (source: string) => ({ value: 'dropped', source }) as const;
const byClass = (source: string) => ({ value: 'by class', source }) as const;
const ofRoute = (source: string) => ({ value: 'route', source }) as const;
const ofIntersection = (source: string) => ({ value: 'intersection', source }) as const;

/** Returns whether a system isolates listeners, from one of its conformance reports: the feature `GatewayHTTPListenerIsolation`. */
function isolation<Value extends 'supported' | 'unsupported'>(value: Value, report: string): Sourced<Value> {
  return { value, source: `${reports}/${report}` };
}

const reports = `${github}/kubernetes-sigs/gateway-api/blob/main/conformance/reports`;

/** The thread where implementers report which hostnames decide. */
const hostnameThread = `${github}/kubernetes-sigs/gateway-api/issues/5120`;

/** The data planes of existing systems. */
export const dataPlanes: readonly KnownDataPlane[] = [
  {
    system: 'agentgateway',
    controllers: ['agentgateway.dev'],
    sharedHostnames: allowed(
      `${github}/agentgateway/agentgateway/blob/main/controller/pkg/agentgateway/translator/conversion.go`,
    ),
    hostnamePrecedence: ofRoute(hostnameThread),
    regularExpressionPaths: afterPrefixes(
      `${github}/agentgateway/agentgateway/blob/main/crates/agentgateway/src/http/route.rs`,
    ),
    caCertificatesInSecrets: accepted(
      `${github}/agentgateway/agentgateway/blob/main/controller/pkg/agentgateway/translator/conversion.go`,
    ),
    listenerIsolation: isolation('supported', 'v1.6/agentgateway-agentgateway/v1.3.1-report.yaml'),
    misdirectedRequests: refused(`${reports}/v1.6/agentgateway-agentgateway/v1.3.1-report.yaml`),
  },
  {
    system: 'Airlock Microgateway',
    controllers: ['microgateway.airlock.com'],
    listenerIsolation: isolation('supported', 'v1.6/airlock-microgateway/standard-5.1.0-default-report.yaml'),
    misdirectedRequests: refused(`${reports}/v1.6/airlock-microgateway/standard-5.1.0-default-report.yaml`),
  },
  {
    system: 'AWS Load Balancer Controller',
    controllers: ['gateway.k8s.aws'],
    sharedHostnames: refused(`${github}/kubernetes-sigs/aws-load-balancer-controller/issues/4793`),
    listenerIsolation: isolation('unsupported', 'v1.6/aws-load-balancer-controller/conformance-report.yaml'),
  },
  {
    system: 'Cilium',
    controllers: ['io.cilium'],
    hostnamePrecedence: ofIntersection(`${github}/cilium/cilium/blob/main/operator/pkg/model/helpers.go`),
    listenerIsolation: isolation('supported', 'v1.6/cilium/standard-v1.20.0-default-report.yaml'),
  },
  {
    system: 'Contour',
    controllers: ['projectcontour.io'],
    sharedHostnames: allowed(`${github}/projectcontour/contour/blob/main/internal/dag/gatewayapi_processor.go`),
    hostnamePrecedence: ofIntersection(`${github}/projectcontour/contour/blob/main/internal/gatewayapi/helpers.go`),
    regularExpressionPaths: beforePrefixes(`${github}/projectcontour/contour/blob/main/internal/sorter/sorter.go`),
    listenersWithoutTls: refused(`${github}/projectcontour/contour/blob/main/internal/dag/gatewayapi_processor.go`),
    misdirectedRequests: refused(`${github}/projectcontour/contour/issues/5240`),
  },
  {
    system: 'Envoy Gateway',
    controllers: ['gateway.envoyproxy.io'],
    sharedHostnames: allowed(
      `${github}/envoyproxy/gateway/blob/main/internal/gatewayapi/testdata/grpcroute-mixed-with-httproute.out.yaml`,
    ),
    hostnamePrecedence: ofIntersection(`${github}/envoyproxy/gateway/blob/main/internal/gatewayapi/helpers.go`),
    missingPorts: refused(
      `${github}/envoyproxy/gateway/blob/main/internal/gatewayapi/testdata/httproute-with-invalid-backend-ref-bad-port.out.yaml`,
    ),
    regularExpressionPaths: beforePrefixes(`${github}/envoyproxy/gateway/blob/main/internal/gatewayapi/sort.go`),
    listenerIsolation: isolation('supported', 'v1.6/envoy-gateway/experimental-v1.9.0-default-report.yaml'),
    listenersWithoutTls: refused(`${github}/envoyproxy/gateway/blob/main/internal/gatewayapi/validate.go`),
    claimsWithoutCertificate: dropped(`${github}/envoyproxy/gateway/blob/main/internal/gatewayapi/listener.go`),
    caCertificatesInSecrets: accepted(`${github}/envoyproxy/gateway/blob/main/internal/gatewayapi/backendtlspolicy.go`),
    adjacentSlashes: merged(`${github}/envoyproxy/gateway/blob/main/api/v1alpha1/pathsettings_types.go`),
    sharedProxies: byClass(`${github}/envoyproxy/gateway/blob/main/internal/gatewayapi/validate.go`),
    misdirectedRequests: served(
      `${github}/envoyproxy/gateway/blob/main/test/e2e/tests/httproute-https-listener-detect-misdirected-requests.go`,
    ),
  },
  {
    system: 'GKE Gateway',
    controllers: ['networking.gke.io'],
    listenerIsolation: isolation('unsupported', 'v1.6/gke-gateway/v1.6.0-gke-report.yaml'),
  },
  {
    system: 'Gloo Gateway',
    controllers: ['solo.io'],
    listenerIsolation: isolation('unsupported', 'v1.4.1/gloo-gateway/v1.21.3-report.yaml'),
  },
  {
    system: 'Istio',
    controllers: ['istio.io'],
    sharedHostnames: allowed(`${github}/istio/istio/blob/master/pilot/pkg/config/kube/gateway/route_collections.go`),
    missingPorts: accepted(`${github}/istio/istio/blob/master/pilot/pkg/config/kube/gateway/conversion.go`),
    listenerIsolation: isolation('supported', 'v1.5/istio-istio/1.30.0-default-report.yaml'),
    regularExpressionPaths: afterPrefixes(
      `${github}/istio/istio/blob/master/pilot/pkg/config/kube/gateway/conversion.go`,
    ),
    listenersWithoutTls: refused(`${github}/istio/istio/blob/master/pilot/pkg/config/kube/gateway/conversion.go`),
    caCertificatesInSecrets: accepted(`${github}/istio/istio/blob/master/pilot/pkg/config/kube/gateway/conversion.go`),
    adjacentSlashes: kept(`${github}/istio/istio/blob/master/pilot/pkg/networking/core/listener_builder.go`),
  },
  {
    system: 'kgateway',
    controllers: ['kgateway.dev'],
    sharedHostnames: allowed(`${github}/kubernetes-sigs/gateway-api/pull/4598`),
    hostnamePrecedence: ofIntersection(hostnameThread),
    regularExpressionPaths: beforePrefixes(
      `${github}/kgateway-dev/kgateway/blob/main/internal/kgateway/translator/routeutils/sortable_route.go`,
    ),
    adjacentSlashes: merged(
      `${github}/kgateway-dev/kgateway/blob/main/internal/kgateway/translator/irtranslator/fc.go`,
    ),
    // Listeners are isolated as of 2.4 only, so that it depends on the version.
  },
  {
    system: 'NGINX Gateway Fabric',
    controllers: ['gateway.nginx.org'],
    sharedHostnames: allowed(
      `${github}/nginx/nginx-gateway-fabric/blob/main/internal/controller/state/dataplane/sort.go`,
    ),
    hostnamePrecedence: ofIntersection(hostnameThread),
    missingPorts: refused(
      `${github}/nginx/nginx-gateway-fabric/blob/main/internal/controller/state/graph/backend_refs.go`,
    ),
    regularExpressionPaths: beforePrefixes('https://nginx.org/en/docs/http/ngx_http_core_module.html#location'),
    listenersWithoutTls: refused(
      `${github}/nginx/nginx-gateway-fabric/blob/main/internal/controller/state/graph/gateway_listener.go`,
    ),
    claimsWithoutCertificate: kept(
      `${github}/nginx/nginx-gateway-fabric/blob/main/internal/controller/state/graph/gateway_listener.go`,
    ),
    adjacentSlashes: merged('https://nginx.org/en/docs/http/ngx_http_core_module.html#merge_slashes'),
    listenerIsolation: isolation('supported', 'v1.5/nginx-nginx-gateway-fabric/experimental-2.6.0-default-report.yaml'),
    misdirectedRequests: refused(
      `${github}/nginx/nginx-gateway-fabric/blob/main/internal/controller/nginx/config/maps.go`,
    ),
  },
  {
    system: 'Traefik',
    controllers: ['traefik.io'],
    sharedHostnames: refused(`${github}/traefik/traefik/pull/13421`),
    listenerIsolation: isolation('unsupported', 'v1.6/traefik-traefik/experimental-v3.7.10-default-report.yaml'),
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
