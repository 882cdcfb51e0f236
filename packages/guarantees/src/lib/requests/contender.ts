import type { GatewayListener } from '@policy-machinery/gateway-api';
import type { ListenerMatch, MatchCondition } from '@policy-machinery/gateway-api/inner';
import { isJsonObject, type JsonObject, stringIn } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { Entry } from './entries.ts';

/** A match of a rule at all listeners with the same hostname and routes. */
export interface RankedMatch {
  readonly match: ListenerMatch;
  /** Its place among the matches of a listener: the lower one of two takes a request that meets both. */
  readonly rank: number;
  /** The regular expressions among its conditions. */
  readonly expressions: readonly MatchCondition[];
  readonly via: readonly TargetNode[];
  readonly route: TargetNode;
  readonly rule: TargetNode | undefined;
  /**
   * The key of its class of requests at a listener. A rule with several matches that delegates to a route makes a match of each of the route's
   * matches, for one class.
   */
  readonly classKey: string;
}

/** A match of a rule at a listener: everything that it takes has the same listener, route, rule and policies. */
export interface Contender extends RankedMatch {
  readonly entry: Entry;
  readonly listener: GatewayListener;
  /** The listener; in a mesh, the frontend above the route. */
  readonly at: TargetNode;
  /** Its place among the matches of its contest. */
  readonly index: number;
  /** Whether it is a match of a rule. Otherwise it stands for the requests that no rule takes, and its route is the Gateway or frontend. */
  readonly isTaken: boolean;
}

/** Returns whether a match takes requests with a path, a method and headers. */
export function isHttp({ match: { kind } }: RankedMatch): boolean {
  return kind === 'HTTPRoute' || kind === 'GRPCRoute';
}

/** Returns the matches of a listener that take requests of an entry, in order. */
export function rankedMatches(
  { transport }: Entry,
  { placeOf }: GatewayListener,
  matches: readonly ListenerMatch[],
): readonly RankedMatch[] {
  const ranked: RankedMatch[] = [];
  for (const match of matches) {
    const { route: resource, ruleIndex, matchIndex } = match.match;
    const place = placeOf.get(resource);
    if (place === undefined || match.transport !== transport) continue;
    const { node: route, via, within } = place;
    ranked.push({
      match: withParents(match, within),
      rank: ranked.length,
      expressions: match.conditions.filter(({ type }) => type === 'RegularExpression'),
      via,
      route,
      rule: route.sections[ruleIndex],
      classKey: JSON.stringify([
        ...[...via, route].map(({ locator }) => locator),
        ruleIndex,
        matchIndex,
        match.hostname,
      ]),
    });
  }
  return ranked;
}

export function contenderAt(entry: Entry, listener: GatewayListener, ranked: RankedMatch, index: number): Contender {
  const { match, rank, expressions, via, route, rule, classKey } = ranked;
  const at = listener.placeOf.get(match.match.route)?.listener ?? listener.node;
  return { entry, listener, at, index, match, rank, expressions, via, route, rule, classKey, isTaken: true };
}

/**
 * Returns the requests that arrive at a listener and that no rule takes.
 *
 * @param place The listener, with its hostname and the place of its first match; `undefined` for requests to hosts that no listener takes.
 * @param index Its place behind the matches of its contest.
 * @returns The requests; `undefined` at an entry without listeners.
 */
export function untakenAt(
  entry: Entry,
  place: { readonly listener: GatewayListener; readonly hostname: string; readonly first: number } | undefined,
  index: number,
): Contender | undefined {
  const [first] = entry.listeners;
  if (first === undefined) return undefined;
  const { listener, hostname = '*', first: start = 0 } = place ?? {};
  const at = listener ?? { ...first, name: '', hostname: undefined, routes: [], placeOf: new Map() };
  const route = entry.node;
  return {
    ...{
      entry,
      listener: at,
      at: listener?.node ?? route,
      index,
      rank: index - start,
      route,
      rule: undefined,
      via: [],
    },
    match: {
      match: { route: route.resource, hostname, ruleIndex: -1, matchIndex: -1 },
      ...{ hostname, kind: kindAt(first), transport: entry.transport, isCall: false, conditions: [] },
      ...{ specificity: unspecific, dependsOn: undefined },
    },
    expressions: [],
    classKey: JSON.stringify(['untaken', at.name]),
    isTaken: false,
  };
}

/** The precedence of a match without conditions. */
const unspecific = {
  ...{ path: undefined, pathLength: 0, method: 0, grpcService: 0, grpcMethod: 0 },
  ...{ headers: 0, queryParameters: 0 },
} as const;

/** Returns the kind of routes that take the requests of a listener. */
function kindAt(listener: GatewayListener): string {
  return { TLS: 'TLSRoute', TCP: 'TCPRoute', UDP: 'UDPRoute' }[protocolOf(listener)] ?? 'HTTPRoute';
}

/** Returns the protocol of a listener in upper case; empty at a frontend in a mesh. */
export function protocolOf({ node }: GatewayListener): string {
  return stringIn(node.section?.value.protocol)?.toUpperCase() ?? '';
}

/**
 * Returns a delegated match with the paths of the matches above. Only a regular expression needs them: all other conditions of a delegated match
 * imply those above, or repeat them.
 */
function withParents(match: ListenerMatch, within: readonly JsonObject[]): ListenerMatch {
  const isExpression = match.conditions.some(({ field, type }) => field === 'path' && type === 'RegularExpression');
  if (!isExpression || within.length === 0) return match;
  const above = within.flatMap(({ path }): readonly MatchCondition[] => {
    const { type, value } = isJsonObject(path) ? path : {};
    const isPrefix = (type ?? 'PathPrefix') === 'PathPrefix';
    return isPrefix
      ? [{ field: 'path', name: '', type: 'PathPrefix', value: stringIn(value) ?? '/', pointer: '' }]
      : [];
  });
  return { ...match, conditions: [...match.conditions, ...above] };
}

/** Returns a text that is part of every text that a regular expression matches: the empty text if none is known. */
export type LiteralOf = (pattern: string) => string;

/**
 * Returns the key of the hostname and path that a match compares, for finding it in a listener's floor.
 *
 * @returns The kind of the path with its value. Matches with regular expressions for paths share one key, apart from their literal texts.
 */
export function placeKey({ match: { conditions, isCall } }: RankedMatch, literal: LiteralOf = () => ''): string {
  if (isCall) {
    const [service, call] = (['service', 'call'] as const).map((field) => conditions.find((it) => it.field === field));
    if (service?.type === 'RegularExpression' || call?.type === 'RegularExpression') return expressionKey('');
    return callKey(service?.value ?? '', call?.value ?? '');
  }
  const path = conditions.find(({ field }) => field === 'path');
  if (path === undefined) return 'any';
  if (path.type === 'RegularExpression') return expressionKey(keyLiteral(literal(path.value)));
  return path.type === 'Exact' ? exactKey(path.value) : prefixKey(path.value.replace(/\/$/, ''));
}

/** Returns the part of a literal text that keys have. */
export function keyLiteral(literal: string): string {
  return literal.slice(-mostOfLiteral);
}

/** Longer literal texts would make texts have more parts to look for. */
const mostOfLiteral = 24;

export const expressionKey = (literal: string): string => `expression ${literal}`;
export const exactKey = (path: string): string => `exact ${path}`;
export const prefixKey = (prefix: string): string => `prefix ${prefix}`;
export const callKey = (service: string, call: string): string => `call ${service}\n${call}`;
