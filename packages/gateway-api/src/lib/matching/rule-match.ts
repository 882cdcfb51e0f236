import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  specOf,
} from '@policy-machinery/resource';
import { isUnset } from './check.ts';

/** A match of a rule, or the place of an invalid value (without `match`). */
export type RuleMatch =
  | { readonly match: JsonObject; readonly ruleIndex: number; readonly matchIndex: number; readonly at: MatchPath }
  | { readonly match?: undefined; readonly ruleIndex?: number; readonly matchIndex?: number; readonly at: MatchPath };

/** A path from the root of the route. */
type MatchPath = readonly (string | number)[];

/**
 * Returns the matches of a route in the order of the route.
 *
 * @param hasDefaultRule Whether the API server adds a rule for all requests to a route without rules.
 * @returns All matches. A rule without matches has one empty match, with the path of the rule.
 */
export function* ruleMatchesOf(route: KubernetesObject, hasDefaultRule: boolean): Iterable<RuleMatch> {
  const { rules } = specOf(route);
  const at = ['spec', 'rules'];
  if (isUnset(rules)) {
    if (hasDefaultRule) yield { ruleIndex: 0, matchIndex: 0, match: {}, at };
  } else if (Array.isArray(rules)) {
    for (const [ruleIndex, rule] of rules.entries()) yield* matchesOfRule(rule, ruleIndex, [...at, ruleIndex]);
  } else {
    yield { at };
  }
}

function* matchesOfRule(rule: JsonValue, ruleIndex: number, at: MatchPath): Iterable<RuleMatch> {
  if (!isJsonObject(rule)) return yield { ruleIndex, at };
  const { matches } = rule;
  if (isUnset(matches) || (Array.isArray(matches) && matches.length === 0)) {
    yield { ruleIndex, matchIndex: 0, match: {}, at };
  } else if (Array.isArray(matches)) {
    for (const [matchIndex, match] of matches.entries()) {
      const place = { ruleIndex, matchIndex, at: [...at, 'matches', matchIndex] };
      yield isJsonObject(match) ? { ...place, match } : place;
    }
  } else {
    yield { ruleIndex, at: [...at, 'matches'] };
  }
}
