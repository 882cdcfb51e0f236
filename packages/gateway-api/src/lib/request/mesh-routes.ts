import type { TargetNode, Topology } from '@policy-machinery/topology';
import { consumerName, frontendKind } from '../attachment/frontend-names.ts';

/**
 * The routes that take the requests of a client to a port of a Service, in a mesh (H-04): those of the client's own namespace,
 * if there are any for this Service and port; else those of the Service's.
 *
 * @param topology A topology with the kinds of `gatewayApi({ mesh: true })`.
 * @param service Namespace and name of the Service.
 * @param client The namespace of the client, and the port that it calls.
 * @returns The routes, by locator; none where requests go to the Service as they are, and where there is no such Service.
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
  const theirs = routesBeneath(consumer);
  return theirs.length > 0 ? theirs : routesBeneath(producer);
}

/** A Service. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** The frontend that a Service has for everybody; `undefined` where there is no such Service, or no mesh. */
export function frontendOfService(topology: Topology, { namespace, name }: ServiceName): TargetNode | undefined {
  return topology.get({ ...frontendKind, namespace, name });
}

/** The frontends of one Service for one client and port, each of which may have routes beneath it. */
export interface Frontends {
  /** Those of the client's namespace. None where that is the Service's. */
  readonly consumer: readonly TargetNode[];
  /** The one for everybody, then that of the port. */
  readonly producer: readonly TargetNode[];
}

/**
 * The frontends of a Service that a client may come upon (H-04).
 *
 * @param topology The topology.
 * @param own The frontend that the Service has for everybody.
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

/** {@link frontendsFor}, where the frontends of the port are known. */
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

function routesBeneath(frontends: readonly TargetNode[]): readonly TargetNode[] {
  const routes = new Set(frontends.flatMap(({ linksTo }) => linksTo));
  return [...routes].sort((a, b) => (a.locator < b.locator ? -1 : 1));
}
