import type { DataPlane } from '@policy-machinery/gateway-api';

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
  readonly sharedHostnames?: Sourced<Exclude<NonNullable<DataPlane['sharedHostnames']>, 'both'>>;
}

const github = 'https://github.com';
const allowed = (source: string) => ({ sharedHostnames: { value: 'allowed', source } }) as const;
const refused = (source: string) => ({ sharedHostnames: { value: 'refused', source } }) as const;

/** The data planes of existing systems. */
export const dataPlanes: readonly KnownDataPlane[] = [
  {
    system: 'agentgateway',
    controllers: ['agentgateway.dev'],
    ...allowed(`${github}/agentgateway/agentgateway/blob/main/controller/pkg/agentgateway/translator/conversion.go`),
  },
  {
    system: 'AWS Load Balancer Controller',
    controllers: ['gateway.k8s.aws'],
    ...refused(`${github}/kubernetes-sigs/aws-load-balancer-controller/issues/4793`),
  },
  {
    system: 'Contour',
    controllers: ['projectcontour.io'],
    ...allowed(`${github}/projectcontour/contour/blob/main/internal/dag/gatewayapi_processor.go`),
  },
  {
    system: 'Envoy Gateway',
    controllers: ['gateway.envoyproxy.io'],
    ...allowed(
      `${github}/envoyproxy/gateway/blob/main/internal/gatewayapi/testdata/grpcroute-mixed-with-httproute.out.yaml`,
    ),
  },
  {
    system: 'Istio',
    controllers: ['istio.io'],
    ...allowed(`${github}/istio/istio/blob/master/pilot/pkg/config/kube/gateway/route_collections.go`),
  },
  {
    system: 'kgateway',
    controllers: ['kgateway.dev'],
    ...allowed(`${github}/kubernetes-sigs/gateway-api/pull/4598`),
  },
  {
    system: 'NGINX Gateway Fabric',
    controllers: ['gateway.nginx.org'],
    ...allowed(`${github}/nginx/nginx-gateway-fabric/blob/main/internal/controller/state/dataplane/sort.go`),
  },
  {
    system: 'Traefik',
    controllers: ['traefik.io'],
    ...refused(`${github}/traefik/traefik/pull/13421`),
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
  const { sharedHostnames } = byController.get(domainOf(controllerName ?? '')) ?? {};
  return sharedHostnames === undefined ? {} : { sharedHostnames: sharedHostnames.value };
}

/** Returns the domain of a controller, by which the tables know it. */
export function domainOf(controllerName: string): string {
  return controllerName.split('/', 1)[0] ?? '';
}
