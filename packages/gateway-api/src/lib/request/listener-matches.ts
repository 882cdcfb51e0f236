import {
  formatPointer,
  groupKindOf,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  objectIn,
  specOf,
  valueAt,
} from '@policy-machinery/resource';
import { compareNames, compareValues } from '../fields/compare-objects.ts';
import { anyHostname, intersectHostnames } from '../fields/hostname.ts';
import type { RegularExpressionPaths } from '../listeners/data-plane.ts';
import { hostnamesOfRoute, type Transport } from '../listeners/listener-protocol.ts';
import { grpcMethod, readRequest } from '../matching/http-request.ts';
import type { Specificity } from '../matching/match.ts';
import { ruleMatchesOf } from '../matching/rule-match.ts';
import type { RequestListener, RequestMatch, UnknownFact } from './answer.ts';
import { exclusionOf, type ListenerFact, type RouteKind, routeKindOf } from './host-routes.ts';
import { compareBy, compareMatches, precedenceRules } from './precedence.ts';

/** One condition of a match. All conditions of a match must be met. */
export interface MatchCondition {
  /** The part of the request: for a gRPC call, `service` and `call` are the two parts of the path. */
  readonly field: 'path' | 'method' | 'header' | 'query' | 'service' | 'call';
  /** The name of the header, in lower case, or of the query parameter; otherwise empty. */
  readonly name: string;
  readonly type: 'Exact' | 'PathPrefix' | 'RegularExpression';
  readonly value: string;
  /** JSON Pointer to the condition, from the root of the route. */
  readonly pointer: string;
}

/** A match of a rule under one of its route's hostnames, as conditions. */
export interface ListenerMatch {
  readonly match: Omit<RequestMatch, 'listener'>;
  /** The intersection of the hostnames of the route and the listener: the narrower one. */
  readonly hostname: string;
  /** The kind of the route, such as `HTTPRoute`. */
  readonly kind: string;
  readonly transport: Transport;
  /** Whether only requests that are gRPC calls meet the match: those with a path of two segments. The method `POST` is one of the conditions. */
  readonly isCall: boolean;
  readonly conditions: readonly MatchCondition[];
  /** The values that decide its precedence. */
  readonly specificity: Specificity;
  /** The unknown fact that decides whether its route takes part at the listener; `undefined` if it does. */
  readonly dependsOn: ListenerFact | undefined;
}

export interface ListenerMatches {
  /** The hostname of the listener in lower case; `*` for every host, and `undefined` if it is invalid and the listener takes no host. */
  readonly hostname: string | undefined;
  /** The valid matches of the routes that the listener serves, one for each hostname of the route, those with the highest precedence first. */
  readonly matches: readonly ListenerMatch[];
  /** Whether all that decides about the matches is known: that their routes take part, and the order of any two. */
  readonly isDecided: boolean;
  /**
   * Returns the unknown fact that decides which of two matches has the higher precedence.
   *
   * @param earlier The match that comes first in the list.
   * @param later The other match.
   */
  readonly unknownBetween: (earlier: ListenerMatch, later: ListenerMatch) => UnknownFact | undefined;
  /** Returns whether a match precedes a match of another listener of the Gateway for certain. */
  readonly precedes: (own: ListenerMatch, other: ListenerMatch) => boolean;
}

/**
 * Returns everything that a listener compares with requests: the conditions of all matches in the order of their precedence. A request goes
 * to the first match with a hostname and conditions that it meets, as far as that is decided. Use it for questions about all requests.
 *
 * @param listener A listener, such as one of {@link gatewayListeners}.
 * @param options The precedence of regular expressions.
 * @returns The matches. A match that cannot be read takes no request, and is left out. O(m log m) for m matches.
 */
export function listenerMatches(
  listener: RequestListener,
  { regularExpressionPaths = 'before-prefixes' }: { readonly regularExpressionPaths?: RegularExpressionPaths } = {},
): ListenerMatches {
  const { routes, delegated = [] } = listener;
  const byName = (a: KubernetesObject, b: KubernetesObject): number =>
    compareNames(a, b) || compareValues(a.kind, b.kind);
  const rules = precedenceRules(regularExpressionPaths, listener.dataPlane);
  const exclusion = exclusionOf(routes, listener);
  const matches = [...routes, ...delegated]
    .sort(byName)
    .flatMap((route) => {
      const excluded = exclusion(route);
      if (typeof excluded === 'string') return [];
      const dependsOn = excluded?.dependsOn;
      return matchesOfRoute(route, listener).map((match): ListenerMatch => ({ ...match, dependsOn }));
    })
    .sort(compareBy(rules));
  const unknownBetween: ListenerMatches['unknownBetween'] = (a, b) => compareMatches(a, b, rules).unknown;
  const precedes: ListenerMatches['precedes'] = (own, other) => {
    const { by, unknown } = compareMatches(own, other, rules);
    return by !== undefined || (unknown === undefined && compareBy(rules)(own, other) === 0);
  };
  const [hostname] = intersectHostnames(listener.hostname, undefined);
  return { hostname, matches, isDecided: areDecided(matches, unknownBetween), unknownBetween, precedes };
}

/** Returns whether all that decides about sorted matches is known. Those that only an age distinguishes follow each other. O(matches). */
function areDecided(matches: readonly ListenerMatch[], unknownBetween: ListenerMatches['unknownBetween']): boolean {
  const hasBothKinds = new Set(matches.map(({ kind }) => kind)).size > 1;
  if (hasBothKinds || matches.some(({ dependsOn }) => dependsOn !== undefined)) return false;
  return matches.every((match, place) => {
    const before = matches[place - 1];
    return before === undefined || unknownBetween(before, match) === undefined;
  });
}

const anyHostnames = [anyHostname];

function hostnamesIn(route: KubernetesObject): readonly string[] {
  try {
    return hostnamesOfRoute({ groupKind: groupKindOf(route), hostnames: specOf(route).hostnames });
  } catch {
    return anyHostnames;
  }
}

const nothing = readRequest({});

function matchesOfRoute(
  route: KubernetesObject,
  { hostname: ofListener, isFrontend = false }: RequestListener,
): readonly Omit<ListenerMatch, 'dependsOn'>[] {
  const kind = routeKindOf(route);
  if (kind === undefined) return [];
  const hostnames = (isFrontend ? anyHostnames : hostnamesIn(route)).flatMap((own) =>
    intersectHostnames(ofListener, own).map((common) => ({ own, common })),
  );
  try {
    return [...ruleMatchesOf(route, kind.hasDefaultRule)].flatMap((place) => {
      if (place.match === undefined) return [];
      const { match, ruleIndex, matchIndex, at } = place;
      const read = conditionsOf(match, kind, at);
      if (read === undefined) return [];
      return hostnames.map(({ own, common }) => ({
        match: { route, hostname: own, ruleIndex, matchIndex },
        hostname: common,
        kind: kind.name,
        transport: kind.transport,
        ...read,
      }));
    });
  } catch {
    return []; // It is not JSON, and throws where it is read: it takes no request.
  }
}

type ReadConditions = Pick<ListenerMatch, 'conditions' | 'specificity' | 'isCall'>;

/** Returns the conditions that `check` would put to a request; `undefined` if one is invalid. */
function conditionsOf(
  match: JsonObject,
  { check }: RouteKind,
  at: readonly (string | number)[],
): ReadConditions | undefined {
  const { checks, specificity } = check(match, nothing, undefined);
  if (checks.some(({ verdict }) => verdict === 'invalid')) return undefined;
  const isCall = checks.some(({ field, at: place }) => field === 'path' && place.length === 0);
  const conditions = checks.flatMap(({ field, at: place }): readonly MatchCondition[] => {
    const pointer = formatPointer([...at, ...place]);
    if (place.length === 0) return [{ field: 'method', name: '', type: 'Exact', value: grpcMethod, pointer }];
    if (field === 'path') return [pathCondition(match.path, pointer)];
    const value = valueAt(match, formatPointer(place));
    if (field === 'method') return [methodCondition(match, place, value, pointer)];
    const { name, type, value: wanted } = objectIn(value);
    const key = field === 'headers' ? String(name).toLowerCase() : String(name);
    return [
      {
        field: field === 'headers' ? 'header' : 'query',
        name: key,
        type: typeIn(type),
        value: String(wanted),
        pointer,
      },
    ];
  });
  return { conditions, specificity, isCall };
}

function pathCondition(path: JsonValue | undefined, pointer: string): MatchCondition {
  const { type, value } = objectIn(path);
  const read = { type: (type ?? 'PathPrefix') as MatchCondition['type'], value: String(value ?? '/') };
  return { field: 'path', name: '', ...read, pointer };
}

/** Returns the condition on an HTTP method, or on a part of a gRPC method. */
function methodCondition(
  match: JsonObject,
  place: readonly (string | number)[],
  value: JsonValue | undefined,
  pointer: string,
): MatchCondition {
  const [, part] = place;
  if (part === undefined) return { field: 'method', name: '', type: 'Exact', value: String(value), pointer };
  const { type } = objectIn(match.method);
  return {
    field: part === 'service' ? 'service' : 'call',
    name: '',
    type: typeIn(type),
    value: String(value),
    pointer,
  };
}

function typeIn(type: JsonValue | undefined): MatchCondition['type'] {
  return type === 'RegularExpression' ? type : 'Exact';
}
