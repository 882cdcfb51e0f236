import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import type { NamedSection, TargetNode } from '@policy-machinery/topology';
import { factsOf } from '../kinds/listener-section.ts';
import type { DataPlane, ListenerUncertainty } from '../listeners/data-plane.ts';
import type { ListenerConflict } from '../listeners/listener-conflict.ts';
import { listenerFamily } from '../listeners/listener-family.ts';
import { protocolOf } from '../listeners/listener-protocol.ts';
import type { RequestListener } from './answer.ts';
import { delegatedRoutes, type FoundRoute, foundRoute } from './delegated-routes.ts';
import { hostnameOf } from './host-routes.ts';
import { type ListenerNode, listenerNode } from './listener-node.ts';
import type { Question } from './question.ts';

/** A listener of a Gateway, with the targets of the listener and its routes. */
export interface GatewayListener extends RequestListener {
  readonly node: TargetNode;
  /** The place of each of its `routes` and `delegated` routes. */
  readonly placeOf: ReadonlyMap<KubernetesObject, GatewayRoute>;
}

/** The place of a route in the topology. */
export interface GatewayRoute {
  readonly node: TargetNode;
  /** The listener above it. */
  readonly listener: TargetNode;
  /** The routes that delegate to this route, each followed by the delegating rule, starting at the listener. */
  readonly via: readonly TargetNode[];
  /** These routes' matches that delegate: the route takes only requests that meet them, too. */
  readonly within: readonly JsonObject[];
}

/**
 * Returns the listeners of a Gateway and of its ListenerSets as input for {@link matchRequest}, for any request. Use them to answer requests
 * without a topology, such as in a browser.
 *
 * @param gateway The Gateway.
 * @returns The listeners, in order of precedence. A delegated match is `null` in the delegating route; the children have their own matches
 * instead. A route with more than 10,000 children, counted once per delegation, does not have matches.
 * @example
 * ```ts
 * const gateway = topology.get('gateway.gateway.networking.k8s.io:infra/public');
 * const [answer] = matchRequest({ host: 'shop.example.com', path: '/cart' }, gateway ? gatewayListeners(gateway) : []);
 * answer?.listener?.node.locator; // 'gateway.gateway.networking.k8s.io:infra/public#https'
 * ```
 */
export function gatewayListeners(gateway: TargetNode): readonly GatewayListener[] {
  return listenersOf(gateway);
}

/**
 * Returns the listeners of a Gateway: its own, then the listeners of its ListenerSets, the oldest set first and then by
 * `namespace/name` (GEP-1713). A listener that loses a conflict has `lostBy` and takes no requests.
 *
 * @param question The request. Default: any.
 * @param rivalsAt Returns the routes that a listener does not keep, because it keeps routes of another kind for a hostname. Default: none.
 */
export function listenersOf(
  gateway: TargetNode,
  question?: Question,
  rivalsAt: (listener: TargetNode) => Iterable<TargetNode> = () => [],
): readonly ListenerNode[] {
  const facts = factsOf(gateway);
  const { dataPlane } = facts;
  const { owners, conflicts, uncertain } = listenerFamily(gateway, facts);
  const found = new Map<TargetNode, readonly FoundRoute[]>();
  const routesBelow = (route: TargetNode): readonly FoundRoute[] => {
    const there = found.get(route) ?? delegatedRoutes(route, question, { hostnamesCount: true });
    found.set(route, there);
    return there;
  };
  const placed = (node: TargetNode) => {
    const refused = new Set(rivalsAt(node));
    // The children of a refused route receive nothing by it.
    const below = (route: TargetNode) => (refused.has(route) ? foundRoute(route) : routesBelow(route));
    const routes = [...node.linksTo, ...refused];
    const lostBy = conflicts.get(node.section);
    const dependsOn = uncertain.get(node.section);
    return listenerAt(node, { lostBy, dependsOn, gateway, dataPlane, question, routes, routesBelow: below });
  };
  return owners.flatMap(({ sections }) => sections.flatMap(placed));
}

interface Placement {
  readonly lostBy: ListenerConflict | undefined;
  readonly dependsOn: ListenerUncertainty | undefined;
  readonly gateway: TargetNode;
  readonly dataPlane: DataPlane;
  readonly question: Question | undefined;
  readonly routes: readonly TargetNode[];
  readonly routesBelow: (route: TargetNode) => readonly FoundRoute[];
}

function listenerAt(
  node: TargetNode,
  { lostBy, dependsOn, gateway, dataPlane, question, routes, routesBelow }: Placement,
): readonly ListenerNode[] {
  const { object, section } = node;
  const { name, value } = section as NamedSection;
  const protocol = protocolOf(value);
  if (typeof value.port !== 'number' || protocol === undefined) return [];
  const listener = {
    node,
    name: object === gateway ? name : `${object.ref.namespace}/${object.ref.name}/${name}`,
    port: value.port,
    hostname: protocol.hasHostname ? ((value.hostname ?? undefined) as string | undefined) : undefined,
    dataPlane,
    lostBy,
    dependsOn,
    transport: protocol.transport === 'any' ? undefined : protocol.transport,
  };
  const takesHost =
    question === undefined || hostnameOf({ ...listener, routes: [] }, question.request.host) !== undefined;
  const found = routes.flatMap(takesHost ? routesBelow : foundRoute);
  return [
    listenerNode(
      listener,
      found.map((route) => ({ ...route, listener: node })),
    ),
  ];
}
