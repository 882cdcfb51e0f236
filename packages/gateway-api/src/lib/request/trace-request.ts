import { groupKindOf, type KubernetesObject, type ResourceRef } from '@policy-machinery/resource';
import type { Path, TargetNode, Topology } from '@policy-machinery/topology';
import { gatewayKind, isSameKind, ownsListeners } from '../hierarchy.ts';
import { protocolOf } from '../listener-protocol.ts';
import type { LostMatch, Mismatch, RequestListener, RequestMatch, UndecidedMatch, UnmatchedRoute } from './answer.ts';
import { delegatedRoutes, type FoundRoute, foundRoute } from './delegated-routes.ts';
import type { Question } from './findings.ts';
import { hostnameOf } from './host-routes.ts';
import { type HttpRequest, readRequest } from './http-request.ts';
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
  /** The routes that delegate to this one, each with the rule that does, from the one at the listener on (H-10). */
  readonly via: readonly TargetNode[];
};

/**
 * A route, rule or match that does not take the request; or, of a child, has no part in what its parent delegates; or of a route
 * that delegates to more than 10,000 children for the request, each counted as often as it is delegated to, so that nothing can
 * be said of it.
 */
export type TracedMismatch = Omit<Traced<UnmatchedRoute>, 'reason'> & {
  readonly reason: Mismatch | 'delegation' | 'too-many-children';
};

/** The match that takes a request. */
export type TracedWinner = Traced<RequestMatch> & {
  /**
   * The paths of the request, from where they begin through listener, route and rule to each of the backends; or to the rule,
   * where it has none. Made one by one each time they are asked for.
   */
  readonly paths: Iterable<Path>;
};

/**
 * What becomes of a request at one port of one Gateway. Every match of every route is in one of the four parts, but for matches
 * that take the request and delegate it: those of the children are there instead.
 */
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
  readonly unmatched: readonly TracedMismatch[];
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
  const asked = { ...request, ...pairsOf(request) };
  const question: Question = { request: readRequest(asked), regularExpression: options.regularExpression };
  const candidates = gateway === undefined ? topology.targets : [topology.get(gateway)];
  const gateways = [...candidates].filter((node) => node !== undefined && isGateway(node)) as TargetNode[];
  return gateways.flatMap((node) =>
    matchRequest(asked, listenersOf(node, question), options).map(({ listener, winner, ...rest }) => ({
      gateway: node,
      port: rest.port,
      ...(listener && { listener: listener.node }),
      ...(winner && { winner: withPaths(topology, traced(winner)) }),
      lost: rest.lost.map(traced),
      undecided: rest.undecided.map(traced),
      unmatched: rest.unmatched.flatMap(tracedMismatch),
    })),
  );
}

/** Headers and query parameters may come one by one, and only once. */
function pairsOf({ headers, query }: HttpRequest): Pick<HttpRequest, 'headers' | 'query'> {
  return { ...(headers && { headers: [...headers] }), ...(query && { query: [...query] }) };
}

interface ListenerNode extends RequestListener {
  readonly node: TargetNode;
  readonly found: ReadonlyMap<KubernetesObject, FoundRoute>;
}

/** The listeners of a Gateway and of its ListenerSets that requests with a host arrive at. */
function listenersOf(gateway: TargetNode, question: Question): readonly ListenerNode[] {
  const sets = gateway.linksTo.filter(({ ref }) => ownsListeners(ref));
  return [gateway, ...sets].flatMap((owner) => owner.sections.flatMap((node) => listenerAt(node, gateway, question)));
}

function listenerAt(node: TargetNode, gateway: TargetNode, question: Question): readonly ListenerNode[] {
  const { name = '', value = {} } = node.section ?? {};
  const { port, hostname } = value;
  if (typeof port !== 'number' || protocolOf(value)?.hasHostname !== true) return [];
  const { object } = node;
  const listener = {
    name: object === gateway ? name : `${object.ref.namespace}/${object.ref.name}/${name}`,
    port,
    hostname: hostname as string | undefined,
  };
  const takesHost = hostnameOf({ ...listener, routes: [] }, question.request.host) !== undefined;
  const found = node.linksTo.flatMap((route) => (takesHost ? delegatedRoutes(route, question) : foundRoute(route)));
  const routes = found.map(({ resource }) => resource);
  return [{ ...listener, routes, node, found: new Map(found.map((route) => [route.resource, route])) }];
}

type MatchOfRoute = Pick<RequestMatch<ListenerNode>, 'listener' | 'route'> & { readonly ruleIndex?: number };

function traced<Part extends MatchOfRoute>({ listener, route: resource, ...rest }: Part): Traced<Part> {
  const { node: route, via } = listener.found.get(resource) as FoundRoute;
  const rule = rest.ruleIndex === undefined ? undefined : route.sections[rest.ruleIndex];
  return { ...rest, listener: listener.node, route, via, ...(rule && { rule }) } as Traced<Part>;
}

function tracedMismatch(part: UnmatchedRoute<ListenerNode>): readonly TracedMismatch[] {
  const { gone } = part.listener.found.get(part.route) as FoundRoute;
  const why = gone.get(`${part.ruleIndex}/${part.matchIndex}`);
  if (why === 'delegated') return [];
  return [{ ...traced(part), ...(why === undefined ? {} : { reason: reasons[why] }) }];
}

/** Why matches are no more, in the words of an answer. */
const reasons = { outside: 'delegation', unbounded: 'too-many-children' } as const;

function withPaths(topology: Topology, match: Traced<RequestMatch>): TracedWinner {
  return { ...match, paths: { [Symbol.iterator]: () => requestPaths(topology, match) } };
}

function isGateway({ section, resource }: TargetNode): boolean {
  return section === undefined && isSameKind(groupKindOf(resource), gatewayKind);
}
