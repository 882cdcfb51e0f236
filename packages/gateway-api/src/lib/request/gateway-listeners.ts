import type { NamedSection, TargetNode } from '@policy-machinery/topology';
import type { ListenerConflict } from '../listeners/listener-conflict.ts';
import { listenerFamily } from '../listeners/listener-family.ts';
import { protocolOf } from '../listeners/listener-protocol.ts';
import { delegatedRoutes, type FoundRoute, foundRoute } from './delegated-routes.ts';
import { hostnameOf } from './host-routes.ts';
import { type ListenerNode, listenerNode } from './listener-node.ts';
import type { Question } from './question.ts';

/**
 * The listeners of a Gateway: its own, then those of its ListenerSets, the oldest set first and then by `namespace/name`
 * (GEP-1713). What is in conflict with one before it takes no requests.
 */
export function listenersOf(gateway: TargetNode, question: Question): readonly ListenerNode[] {
  const { owners, conflicts } = listenerFamily(gateway);
  const found = new Map<TargetNode, readonly FoundRoute[]>();
  const routesBelow = (route: TargetNode): readonly FoundRoute[] => {
    const there = found.get(route) ?? delegatedRoutes(route, question, { hostnamesCount: true });
    found.set(route, there);
    return there;
  };
  return owners.flatMap(({ sections }) =>
    sections.flatMap((node) => listenerAt(node, conflicts.get(node.section), gateway, question, routesBelow)),
  );
}

function listenerAt(
  node: TargetNode,
  lostBy: ListenerConflict | undefined,
  gateway: TargetNode,
  question: Question,
  routesBelow: (route: TargetNode) => readonly FoundRoute[],
): readonly ListenerNode[] {
  const { object, section } = node;
  const { name, value } = section as NamedSection;
  const protocol = protocolOf(value);
  if (typeof value.port !== 'number' || protocol === undefined) return [];
  const listener = {
    node,
    name: object === gateway ? name : `${object.ref.namespace}/${object.ref.name}/${name}`,
    port: value.port,
    hostname: protocol.hasHostname ? (value.hostname as string | undefined) : undefined,
    lostBy,
    transport: protocol.transport === 'any' ? undefined : protocol.transport,
  };
  const takesHost = hostnameOf({ ...listener, routes: [] }, question.request.host) !== undefined;
  const found = node.linksTo.flatMap(takesHost ? routesBelow : foundRoute);
  return [
    listenerNode(
      listener,
      found.map((route) => ({ ...route, listener: node })),
    ),
  ];
}
