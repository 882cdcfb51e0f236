/** How many resources of each kind a cluster has. */
export interface WorkloadSize {
  readonly gateways: number;
  readonly listenersPerGateway: number;
  /** HTTPRoutes. */
  readonly routes: number;
  readonly rulesPerRoute: number;
  readonly services: number;
  readonly namespaces: number;
  /** Half of each of the two kinds. */
  readonly policies: number;
}

/**
 * The size that performance is measured at: about 92,000 gateways, listeners, routes, rules and services, 103,000 targets
 * with the ports of services, 150,000 links, and 22 MB (21 MiB) of JSON.
 */
export const referenceSize: WorkloadSize = {
  gateways: 200,
  listenersPerGateway: 10,
  routes: 20_000,
  rulesPerRoute: 3,
  services: 10_000,
  namespaces: 50,
  policies: 5_000,
};

/**
 * Returns the mix of the reference size in another size.
 *
 * @param factor 0.1 for a tenth of all resources; a Gateway and a route remain as big as they are.
 * @returns The size; at least one of everything.
 */
export function scaled(factor: number): WorkloadSize {
  const times = (count: number): number => Math.max(1, Math.round(count * factor));
  const { gateways, routes, services, namespaces, policies } = referenceSize;
  return {
    ...referenceSize,
    gateways: times(gateways),
    routes: times(routes),
    services: times(services),
    namespaces: times(namespaces),
    policies: times(policies),
  };
}

/**
 * Returns the mix of the reference size with about so many nodes.
 *
 * @param nodes Gateways, listeners, routes, rules and services.
 * @example
 * ```ts
 * const [small, medium, large] = [1_000, 10_000, 100_000].map(sizeOf);
 * ```
 */
export function sizeOf(nodes: number): WorkloadSize {
  const { gateways, listenersPerGateway, routes, rulesPerRoute, services } = referenceSize;
  return scaled(nodes / (gateways * (1 + listenersPerGateway) + routes * (1 + rulesPerRoute) + services));
}
