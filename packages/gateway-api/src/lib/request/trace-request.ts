// request/: where a request goes. Takes a topology and a request and returns the listener, route and rule that take the request, the paths from
// there, and why others do not. A candidate is a match that takes the request or might; precedence decides among candidates.

import { groupKindOf, type ResourceRef } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { gatewayKind, isSameKind } from '../fields/hierarchy.ts';
import { checkRequest } from '../matching/check-request.ts';
import { type HttpRequest, readRequest } from '../matching/http-request.ts';
import type { RequestAnswer, RequestMatch, UnmatchedRoute } from './answer.ts';
import { listenersOf } from './gateway-listeners.ts';
import type { ListenerNode, RoutePlace } from './listener-node.ts';
import { type MatchOptions, matchRequest } from './match-request.ts';
import { meshEntries, serviceNamed } from './mesh-listeners.ts';
import type { Question } from './question.ts';
import { requestPaths } from './request-paths.ts';
import type { RequestTrace, Traced, TracedMismatch, TracedWinner } from './request-trace.ts';

/** The entry of the request, and the behavior that Gateway API leaves to implementations. */
export interface TraceOptions extends MatchOptions {
  /** The Gateway that receives the request, its locator or a reference to it. Default: an answer for each. */
  readonly gateway?: TargetNode | ResourceRef | string | undefined;
  /**
   * For a request within a mesh: the namespace of the client. Then no Gateway is asked but the Service that `host`
   * names, as cluster DNS has it: `pay.payments`, or `pay` for one in the client's namespace. Default: the request comes to a
   * Gateway.
   */
  readonly client?: string | undefined;
}

/**
 * Follows a request through a topology: the listener, route and rule that take it by the precedence of Gateway API, the paths
 * that it goes on, and why all others do not take it.
 *
 * A listener that is in conflict with one before it takes nothing. The Gateway's own go before those of its ListenerSets, and
 * of these the oldest set's, then by `namespace/name`; matches there are among the `lost`, by `hostname
 * conflict` or `protocol conflict`.
 *
 * In a mesh the request arrives at the frontend of a Service, and reaches the routes of the client's namespace if any exist for the
 * port, else the producer's; then the other routes are among the `lost`, by `consumer routes`.
 *
 * @param topology A topology with the kinds of `gatewayApi()`, for a mesh with the kinds of `gatewayApi({ mesh: true })`. A route
 * takes part at the listeners that it is linked to.
 * @param request The request. Its `listener` is the name of a listener; of a ListenerSet `namespace/name/listener`; of no
 * account in a mesh.
 * @param options The entry of the request, and the choices that Gateway API leaves to implementations.
 * @returns An answer for each port of each Gateway, by the Gateways' locators and then by port, or for each port of the
 * Service; none for an entry that does not exist. Only listeners that the request can come in by have a part in it: those for UDP only
 * if it says so. Cost: O(targets) without a Gateway, and O(m log m) for m matches at the listeners.
 * @throws {PolicyMachineryError} `invalid-request`, if the request does not conform to {@link HttpRequest}. Never for the content of
 * resources.
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
  { gateway, client, ...options }: TraceOptions = {},
): readonly RequestTrace[] {
  const asked = checkRequest(request);
  const question: Question = {
    request: readRequest(asked),
    regularExpression: options.regularExpression,
    hostnames: new Map(),
  };
  if (client === undefined) {
    return gatewaysIn(topology, gateway).flatMap((entry) =>
      matchRequest(
        asked,
        listenersOf(entry, question, (listener) => topology.refusedRivals(listener)),
        options,
      ).map((answer) => traceOf(topology, entry, answer)),
    );
  }
  const entry = serviceNamed(topology, question.request.host, client);
  if (entry === undefined) return [];
  const { listener: _, ...unplaced } = asked;
  return meshEntries(topology, entry, client, { question, port: asked.port }).map(({ port, listeners }) => {
    const [answer = { port, lost: [], undecided: [], unmatched: [] }] = matchRequest(unplaced, listeners, options);
    return traceOf(topology, entry, answer);
  });
}

function gatewaysIn(topology: Topology, gateway: TraceOptions['gateway']): readonly TargetNode[] {
  const candidates = gateway === undefined ? topology.targets : [topology.get(gateway)];
  return [...candidates].filter((node): node is TargetNode => node !== undefined && isGateway(node));
}

function isGateway({ section, resource }: TargetNode): boolean {
  return section === undefined && isSameKind(groupKindOf(resource), gatewayKind);
}

function traceOf(
  topology: Topology,
  entry: TargetNode,
  { port, listener, winner, lost, undecided, unmatched }: RequestAnswer<ListenerNode>,
): RequestTrace {
  return {
    entry,
    port,
    ...(listener && { listener: listener.node }),
    ...(winner && { winner: withPaths(topology, traced(winner)) }),
    lost: lost.map(traced),
    undecided: undecided.map(traced),
    unmatched: unmatched.flatMap(tracedMismatch),
  };
}

type MatchOfRoute = Pick<RequestMatch<ListenerNode>, 'listener' | 'route'> & { readonly ruleIndex?: number };

function traced<Part extends MatchOfRoute>({ listener: { placeOf }, route: resource, ...rest }: Part): Traced<Part> {
  const { node: route, via, listener } = placeOf.get(resource) as RoutePlace;
  const rule = rest.ruleIndex === undefined ? undefined : route.sections[rest.ruleIndex];
  return { ...rest, listener, route, via, ...(rule && { rule }) } as Traced<Part>;
}

function tracedMismatch(part: UnmatchedRoute<ListenerNode>): readonly TracedMismatch[] {
  const { gone } = part.listener.placeOf.get(part.route) as RoutePlace;
  const why = gone.get(`${part.ruleIndex}/${part.matchIndex}`);
  if (why === 'delegated') return [];
  return [{ ...traced(part), ...(why === undefined ? {} : { reason: reasons[why] }) }];
}

/** Why matches were removed, as answers describe it. */
const reasons = { childless: 'no-children', outside: 'delegation', unbounded: 'too-many-children' } as const;

function withPaths(topology: Topology, match: Traced<RequestMatch>): TracedWinner {
  return { ...match, paths: { [Symbol.iterator]: () => requestPaths(topology, match) } };
}
