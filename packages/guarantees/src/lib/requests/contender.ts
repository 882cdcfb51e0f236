import type { GatewayListener, ListenerMatch, MatchCondition } from '@policy-machinery/gateway-api';
import { isJsonObject, type JsonObject, stringIn } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { Entry } from './entries.ts';

/** A match of a rule at a listener: everything that it takes has the same listener, route, rule and policies. */
export interface Contender {
  readonly entry: Entry;
  readonly listener: GatewayListener;
  readonly match: ListenerMatch;
  /** Its place among the matches of its listener: the lower one of two takes a request that meets both. */
  readonly rank: number;
  /** The regular expressions among its conditions. */
  readonly expressions: readonly MatchCondition[];
  /** The listener; in a mesh, the frontend above the route. */
  readonly at: TargetNode;
  readonly via: readonly TargetNode[];
  readonly route: TargetNode;
  readonly rule: TargetNode | undefined;
}

/** Returns the matches of a listener as contenders. */
export function contendersOf(
  entry: Entry,
  listener: GatewayListener,
  matches: readonly ListenerMatch[],
): readonly Contender[] {
  return matches.flatMap((match, rank) => {
    const { route: resource, ruleIndex } = match.match;
    const place = listener.placeOf.get(resource);
    if (place === undefined || match.transport !== entry.transport) return [];
    const expressions = match.conditions.filter(({ type }) => type === 'RegularExpression');
    const { node: route, via, listener: at, within } = place;
    const own = withParents(match, within);
    return [{ entry, listener, match: own, rank, expressions, at, via, route, rule: route.sections[ruleIndex] }];
  });
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

/**
 * Returns the key of a contender's class of requests. A rule with several matches that delegates to a route makes a contender of each of the route's
 * matches, for one class.
 */
export function classKey({ entry, at, via, route, match: { match, hostname } }: Contender): string {
  const places = [entry.node.locator, at.locator, ...via.map(({ locator }) => locator), route.locator];
  return JSON.stringify([entry.port, ...places, match.ruleIndex, match.matchIndex, hostname]);
}

/**
 * Returns the key of the hostname and path that a match compares, by which {@link Contest} finds it.
 *
 * @returns The kind of the path with its value. Matches with regular expressions for paths share one key.
 */
export function placeKey({ match: { conditions, isCall } }: Contender): string {
  if (isCall) {
    const [service, call] = (['service', 'call'] as const).map((field) => conditions.find((it) => it.field === field));
    if (service?.type === 'RegularExpression' || call?.type === 'RegularExpression') return 'expression';
    return callKey(service?.value ?? '', call?.value ?? '');
  }
  const path = conditions.find(({ field }) => field === 'path');
  if (path === undefined) return 'any';
  if (path.type === 'RegularExpression') return 'expression';
  return path.type === 'Exact' ? exactKey(path.value) : prefixKey(path.value.replace(/\/$/, ''));
}

export const exactKey = (path: string): string => `exact ${path}`;
export const prefixKey = (prefix: string): string => `prefix ${prefix}`;
export const callKey = (service: string, call: string): string => `call ${service}\n${call}`;
