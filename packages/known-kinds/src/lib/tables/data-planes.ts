import type { DataPlane, HostnamePrecedence, MissingPorts, SharedHostnames } from '@policy-machinery/gateway-api';

/** A fact about a data plane, with its source. */
export interface Sourced<Value> {
  readonly value: Value;
  /** The page, the source file or the thread with the fact. */
  readonly source: string;
}

/** What is known of the data plane of a system, where Gateway API leaves a choice to implementations. A fact that is absent is not known. */
export interface KnownDataPlane {
  /** The project: `Envoy Gateway`. */
  readonly system: string;
  /** The domains of its controllers, in the `controllerName` of GatewayClasses: `gateway.envoyproxy.io`. */
  readonly controllers: readonly string[];
  /** Whether an HTTPRoute and a GRPCRoute may share a hostname at one listener. */
  readonly sharedHostnames?: Sourced<SharedHostnames>;
  /** Which hostnames of two routes at one listener decide between them. */
  readonly hostnamePrecedence?: Sourced<HostnamePrecedence>;
  /** Whether a route may refer to a port that a Service does not have. */
  readonly missingPorts?: Sourced<MissingPorts>;
}

const github = 'https://github.com';
const accepted = (source: string) => ({ value: 'accepted', source }) as const;
const allowed = (source: string) => ({ value: 'allowed', source }) as const;
const refused = (source: string) => ({ value: 'refused', source }) as const;
const ofRoute = (source: string) => ({ value: 'route', source }) as const;
const ofIntersection = (source: string) => ({ value: 'intersection', source }) as const;

/** The thread in which implementers report which hostnames decide. */
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
  },
  {
    system: 'AWS Load Balancer Controller',
    controllers: ['gateway.k8s.aws'],
    sharedHostnames: refused(`${github}/kubernetes-sigs/aws-load-balancer-controller/issues/4793`),
  },
  {
    system: 'Cilium',
    controllers: ['io.cilium'],
    hostnamePrecedence: ofIntersection(`${github}/cilium/cilium/blob/main/operator/pkg/model/helpers.go`),
  },
  {
    system: 'Contour',
    controllers: ['projectcontour.io'],
    sharedHostnames: allowed(`${github}/projectcontour/contour/blob/main/internal/dag/gatewayapi_processor.go`),
    hostnamePrecedence: ofIntersection(`${github}/projectcontour/contour/blob/main/internal/gatewayapi/helpers.go`),
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
  },
  {
    system: 'Istio',
    controllers: ['istio.io'],
    sharedHostnames: allowed(`${github}/istio/istio/blob/master/pilot/pkg/config/kube/gateway/route_collections.go`),
    missingPorts: accepted(`${github}/istio/istio/blob/master/pilot/pkg/config/kube/gateway/conversion.go`),
  },
  {
    system: 'kgateway',
    controllers: ['kgateway.dev'],
    sharedHostnames: allowed(`${github}/kubernetes-sigs/gateway-api/pull/4598`),
    hostnamePrecedence: ofIntersection(hostnameThread),
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
  },
  {
    system: 'Traefik',
    controllers: ['traefik.io'],
    sharedHostnames: refused(`${github}/traefik/traefik/pull/13421`),
  },
];

const byController = new Map(dataPlanes.flatMap((known) => known.controllers.map((domain) => [domain, known])));

/**
 * Returns what is known of the data plane of the Gateways of a controller, for `gatewayApi({ dataPlane: dataPlaneOf })`.
 *
 * @param controllerName The `controllerName` of a GatewayClass: `gateway.envoyproxy.io/gatewayclass-controller`. Default: not known.
 * @returns The known facts; none for a controller that is not in the table.
 */
export function dataPlaneOf(controllerName?: string): DataPlane {
  const { sharedHostnames, hostnamePrecedence, missingPorts } = byController.get(domainOf(controllerName ?? '')) ?? {};
  return {
    ...(sharedHostnames !== undefined && { sharedHostnames: sharedHostnames.value }),
    ...(hostnamePrecedence !== undefined && { hostnamePrecedence: hostnamePrecedence.value }),
    ...(missingPorts !== undefined && { missingPorts: missingPorts.value }),
  };
}

/** Returns the domain of a controller, by which the tables know it. */
export function domainOf(controllerName: string): string {
  return controllerName.split('/', 1)[0] ?? '';
}
