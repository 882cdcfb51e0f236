import { type JsonObject, type JsonValue, objectIn } from '@policy-machinery/resource';

/*
 * How kuadrant-operator merges policies: api/v1 of its repository, in August 2026. A policy is a set of rules, each with a name, and the policies on a
 * path are merged one by one, from the most specific one upwards.
 */

/** A rule by its place in the spec: `["limits","slow"]`. */
type Rules = ReadonlyMap<string, JsonValue>;

/** The places of rules in a spec proper. `*` is the name of a rule. */
const places: readonly (readonly string[])[] = [
  ['when'],
  ['limits', '*'],
  ['patterns', '*'],
  ['rules', 'authentication', '*'],
  ['rules', 'metadata', '*'],
  ['rules', 'authorization', '*'],
  ['rules', 'callbacks', '*'],
  ['rules', 'response', 'unauthenticated'],
  ['rules', 'response', 'unauthorized'],
  ['rules', 'response', 'success', 'headers', '*'],
  ['rules', 'response', 'success', 'filters', '*'],
];

/** A policy, as far as merging goes. */
interface Merging {
  readonly stanza: 'defaults' | 'overrides';
  readonly strategy: 'atomic' | 'merge';
  readonly rules: Rules;
  /** Whether the policy has no `limits`, or no `rules`. */
  readonly isEmpty: boolean;
}

function rulesAt(
  value: JsonValue | undefined,
  place: readonly string[],
  path: readonly string[],
): [string, JsonValue][] {
  const [key, ...rest] = place;
  if (value === undefined || value === null) return [];
  if (key === undefined) return [[JSON.stringify(path), value]];
  const keys = key === '*' ? Object.keys(objectIn(value)) : [key];
  return keys.flatMap((name) => rulesAt(objectIn(value)[name], rest, [...path, name]));
}

function read(spec: JsonObject): Merging {
  const stanza = 'overrides' in spec ? 'overrides' : 'defaults';
  const proper = objectIn(spec.overrides ?? spec.defaults ?? spec);
  const rules = new Map(places.flatMap((place) => rulesAt(proper, place, [])));
  const hasLimits = Object.keys(objectIn(proper.limits)).length > 0;
  return {
    stanza,
    strategy: proper.strategy === 'merge' ? 'merge' : 'atomic',
    rules,
    isEmpty: !hasLimits && !('rules' in proper),
  };
}

/** Merges a policy into what the policies below it have come to. */
function merged(below: Merging, { stanza, strategy, rules, isEmpty }: Merging): Merging {
  if (strategy === 'merge') {
    const both = stanza === 'overrides' ? [...below.rules, ...rules] : [...rules, ...below.rules];
    return { ...below, rules: new Map(both), isEmpty: !hasContent(new Map(both)) };
  }
  return stanza === 'overrides' || below.isEmpty ? { ...below, rules, isEmpty } : below;
}

/** Returns whether rules are more than conditions and patterns. */
function hasContent(rules: Rules): boolean {
  return [...rules.keys()].some((key) => key.startsWith('["limits"') || key.startsWith('["rules"'));
}

/**
 * Returns the rules of the effective policy, by place.
 *
 * @param specs The specs of the policies on a path, the least specific first, and on one level the oldest first.
 */
export function effectiveRules(specs: readonly JsonObject[]): Readonly<Record<string, JsonValue>> {
  const policies = specs.map(read);
  const [last, ...above] = policies.reverse();
  return last === undefined ? {} : Object.fromEntries(above.reduce(merged, last).rules);
}

/** Returns the rules of an effective spec, by place. */
export function rulesOf(spec: unknown): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(places.flatMap((place) => rulesAt(objectIn(spec), place, [])));
}
