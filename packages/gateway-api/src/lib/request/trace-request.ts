import { groupKindOf, type KubernetesObject, type ResourceRef } from '@policy-machinery/resource';
import type { Path, TargetNode, Topology } from '@policy-machinery/topology';
import { gatewayKind, isSameKind, ownsListeners } from '../hierarchy.ts';
import { protocolOf } from '../listener-protocol.ts';
import type { LostMatch, RequestListener, RequestMatch, UndecidedMatch, UnmatchedRoute } from './answer.ts';
import type { HttpRequest } from './http-request.ts';
import { type MatchOptions, matchRequest } from './match-request.ts';
import { requestPaths } from './request-paths.ts';

/** Which Gateway is asked, and what Gateway API leaves to the implementation. */
export interface TraceOptions extends MatchOptions {
  /** The Gateway at which the request arrives, its locator or a reference to it. Default: an answer for each. */
  readonly gateway?: TargetNode | ResourceRef | string;
}

/** The same with the targets of the topology: {@link RequestMatch}, {@link LostMatch} … */
export type Traced<Part extends Pick<RequestMatch, 'listener' | 'route'>> = Omit<Part, 'listener' | 'route'> & {
  readonly listener: TargetNode;
  readonly route: TargetNode;
  /** Absent where the route as a whole is meant, and where it has no rules. */
  readonly rule?: TargetNode;
};

/** The match that takes a request. */
export type TracedWinner = Traced<RequestMatch> & {
  /**
   * The paths of the request, from where they begin through listener, route and rule to each of the backends; or to the rule,
   * where it has none. Made one by one each time they are asked for. Of a rule that delegates they lead through all rules of
   * all children: which of those takes the request is not decided.
   */
  readonly paths: Iterable<Path>;
};

/** What becomes of a request at one port of one Gateway. Every match of every route is in one of the four parts. */
export interface RequestTrace {
  readonly gateway: TargetNode;
  readonly port: number;
  /** The listener at which the request arrives; absent where none takes the host. */
  readonly listener?: TargetNode;
  /** What takes the request, unless one of the undecided would; absent where nothing does, which means status 404. */
  readonly winner?: TracedWinner;
  /** In order of precedence; those of routes that have no part in the request come last. */
  readonly lost: readonly Traced<LostMatch>[];
  /** In the same order. */
  readonly undecided: readonly Traced<UndecidedMatch>[];
  /** By listener, then by route, in its order. */
  readonly unmatched: readonly Traced<UnmatchedRoute>[];
}

/**
 * Follows a request through a topology: the listener, route and rule that take it by the precedence of Gateway API, the paths
 * that it goes on, and why all others do not take it.
 *
 * @param topology A topology with the kinds of `gatewayApi()`. A route takes part at the listeners that it is linked to.
 * @param request The request. Its `listener` is the name of a listener; of a ListenerSet `namespace/name/listener`.
 * @param options Which Gateway, and what Gateway API leaves to the implementation.
 * @returns An answer for each port of each Gateway, by the Gateways' locators and then by port; none for a Gateway that does not
 * exist. Listeners that take no requests with a host, as those for TCP and UDP, have no part in it.
 * Cost: O(targets) without a Gateway, and O(m log m) for m matches at the listeners.
 * @throws Never for what resources say.
 * @example
 * ```ts
 * const [trace] = traceRequest(topology, { host: 'shop.example.com', path: '/cart', port: 443 });
 * trace?.winner?.rule?.locator; // 'httproute.gateway.networking.k8s.io:shop/cart#all'
 * for (const path of trace?.winner?.paths ?? []) console.log(effective.along(path).at(-1)?.spec);
 * ```
 */
export function traceRequest(
  topology: Topology,
  request: HttpRequest,
  { gateway, ...options }: TraceOptions = {},
): readonly RequestTrace[] {
  const candidates = gateway === undefined ? topology.targets : [topology.get(gateway)];
  const gateways = [...candidates].filter((node) => node !== undefined && isGateway(node)) as TargetNode[];
  return gateways.flatMap((node) =>
    matchRequest(request, listenersOf(node), options).map(({ listener, winner, ...rest }) => ({
      gateway: node,
      port: rest.port,
      ...(listener && { listener: listener.node }),
      ...(winner && { winner: withPaths(topology, traced(winner)) }),
      lost: rest.lost.map(traced),
      undecided: rest.undecided.map(traced),
      unmatched: rest.unmatched.map(traced),
    })),
  );
}

interface ListenerNode extends RequestListener {
  readonly node: TargetNode;
  readonly nodes: ReadonlyMap<KubernetesObject, TargetNode>;
}

/** The listeners of a Gateway and of its ListenerSets that requests with a host arrive at. */
function listenersOf(gateway: TargetNode): readonly ListenerNode[] {
  const sets = gateway.linksTo.filter(({ kind, ref }) => !('of' in kind) && ownsListeners(ref));
  return [gateway, ...sets].flatMap((owner) => owner.sections.flatMap((node) => listenerAt(node, gateway)));
}

function listenerAt(node: TargetNode, gateway: TargetNode): readonly ListenerNode[] {
  const { name = '', value = {} } = node.section ?? {};
  const { port, hostname } = value;
  if (typeof port !== 'number' || protocolOf(value)?.hasHostname !== true) return [];
  const { object, linksTo } = node;
  return [
    {
      name: object === gateway ? name : `${object.ref.namespace}/${object.ref.name}/${name}`,
      port,
      hostname: hostname as string | undefined,
      routes: linksTo.map(({ resource }) => resource),
      node,
      nodes: new Map(linksTo.map((route) => [route.resource, route])),
    },
  ];
}

function traced<Part extends Pick<RequestMatch<ListenerNode>, 'listener' | 'route'> & { readonly ruleIndex?: number }>({
  listener,
  route: resource,
  ...rest
}: Part): Traced<Part> {
  const route = listener.nodes.get(resource) as TargetNode;
  const rule = rest.ruleIndex === undefined ? undefined : route.sections[rest.ruleIndex];
  return { ...rest, listener: listener.node, route, ...(rule && { rule }) } as Traced<Part>;
}

function withPaths(topology: Topology, match: Traced<RequestMatch>): TracedWinner {
  const { listener, route, rule } = match;
  return { ...match, paths: { [Symbol.iterator]: () => requestPaths(topology, { listener, route, rule }) } };
}

function isGateway({ section, resource }: TargetNode): boolean {
  return section === undefined && isSameKind(groupKindOf(resource), gatewayKind);
}
