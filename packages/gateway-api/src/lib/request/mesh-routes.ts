import type { TargetNode, Topology } from '@policy-machinery/topology';
import { consumerName, frontendKind } from '../attachment/frontend-names.ts';

/**
 * Returns the routes for requests of a client to a port of a Service, in a mesh: the routes of the client's namespace, if there are any for this
 * Service and port; otherwise the routes of the Service's namespace.
 *
 * @param topology A topology with the kinds of `gatewayApi({ mesh: true })`.
 * @param service Namespace and name of the Service.
 * @param client The namespace of the client, and the port that it calls.
 * @returns The routes, by locator; none if requests go directly to the Service, or if the Service does not exist.
 * O(routes returned).
 */
export function meshRoutes(
  topology: Topology,
  service: ServiceName,
  client: { readonly namespace: string; readonly port: number },
): readonly TargetNode[] {
  const own = frontendOfService(topology, service);
  if (own === undefined) return [];
  const { consumer, producer } = frontendsFor(topology, own, client);
  const theirs = routesBelow(consumer);
  return theirs.length > 0 ? theirs : routesBelow(producer);
}

export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the frontend of a Service for all namespaces; `undefined` without such a Service, or without a mesh. */
export function frontendOfService(topology: Topology, { namespace, name }: ServiceName): TargetNode | undefined {
  return topology.get({ ...frontendKind, namespace, name });
}

/** The frontends of one Service for one client and port; each may have routes below it. */
export interface Frontends {
  /** The frontends of the client's namespace; none if it is the namespace of the Service. */
  readonly consumer: readonly TargetNode[];
  /** The frontend for all namespaces, then the port's. */
  readonly producer: readonly TargetNode[];
}

/**
 * Returns the frontends of a Service for a client.
 *
 * @param own The frontend of the Service for all namespaces.
 * @param client The namespace of the client, and the port that it calls.
 * @returns The frontends. O(ports of the Service).
 */
export function frontendsFor(
  topology: Topology,
  own: TargetNode,
  client: { readonly namespace: string; readonly port: number },
): Frontends {
  const sections = own.sections.filter(({ section }) => section?.value.port === client.port);
  return frontendsAt(topology, own, sections, client);
}

/** Like {@link frontendsFor}, if the frontends of the port are known. */
export function frontendsAt(
  topology: Topology,
  own: TargetNode,
  sections: readonly TargetNode[],
  client: { readonly namespace: string; readonly port: number },
): Frontends {
  const sectionNames = [undefined, ...sections.map(({ ref }) => ref.section)];
  const parts = sectionNames.flatMap((sectionName) => [{ sectionName }, { sectionName, port: client.port }]);
  const names = parts.map((part) => consumerName(own.ref, part));
  const consumer = names.flatMap((name) => topology.get({ ...frontendKind, namespace: client.namespace, name }) ?? []);
  return { consumer, producer: [own, ...sections] };
}

function routesBelow(frontends: readonly TargetNode[]): readonly TargetNode[] {
  const routes = new Set(frontends.flatMap(({ linksTo }) => linksTo));
  return [...routes].sort((a, b) => (a.locator < b.locator ? -1 : 1));
}
