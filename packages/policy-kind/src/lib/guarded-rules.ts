import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { without } from './bare-spec.ts';
import { reshaped, withStanzaFields } from './spec-shape.ts';
import type { StanzaReader } from './stanza-reader.ts';

/** What guards rules, and where these are. */
export interface GuardedRulesOptions {
  /** The field of a stanza, and of each rule, that lists conditions all of which must hold. Default `when`. */
  readonly field?: string;
  /** Where rules are kept by their names, as for `namedRules`: `['limits']`, or `['rules.*']`. */
  readonly rules: readonly string[];
}

/**
 * Moves the conditions that a stanza states for all of its rules into each of them, so that they stay with these rules when
 * policies are merged: merged as a field of its own, the condition of one policy would guard the rules of another.
 *
 * @param reader How stanzas are read otherwise.
 * @param options What guards rules, and where these are.
 * @returns The reader. A stanza without rules keeps its conditions.
 * @example
 * ```yaml
 * when: [{ predicate: request.path == "/admin" }]
 * limits: { mine: { rates: [{ limit: 5, window: 1m }] } }
 * ```
 */
export function guardedRules(reader: StanzaReader, { field = 'when', rules }: GuardedRulesOptions): StanzaReader {
  const guard = (spec: JsonObject): JsonObject => {
    const conditions = spec[field];
    if (!Array.isArray(conditions)) return spec;
    const rest = without(spec, [field]);
    const guarded = rules.reduce((left, path) => within(left, path.split('.'), conditions, field), rest);
    return guarded === rest ? spec : guarded;
  };
  return {
    ...reader,
    read(spec) {
      const { blocks, faults } = reader.read(spec);
      return { blocks: blocks.map((block) => ({ ...block, spec: guard(block.spec) })), faults };
    },
    ...reshaped(reader, withStanzaFields({ [field]: guardsSchema })),
  };
}

const guardsSchema = { type: 'array', items: {}, description: 'Conditions on requests, for all rules beside them.' };

/** A spec whose rules beneath a path have the conditions before their own; the same spec where there are no rules. */
function within(
  spec: JsonObject,
  [key, ...rest]: readonly string[],
  conditions: readonly JsonValue[],
  field: string,
): JsonObject {
  if (key === undefined) return mapped(spec, (rule) => guarded(rule, conditions, field));
  if (key === '*') return mapped(spec, (inner) => within(inner, rest, conditions, field));
  const inner = Object.hasOwn(spec, key) ? spec[key] : undefined;
  if (!isJsonObject(inner)) return spec;
  const changed = within(inner, rest, conditions, field);
  return changed === inner ? spec : { ...spec, [key]: changed };
}

function mapped(object: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  const entries = Object.entries(object).map(
    ([key, value]) => [key, isJsonObject(value) ? change(value) : value] as const,
  );
  return entries.every(([key, value]) => value === object[key]) ? object : Object.fromEntries(entries);
}

function guarded(rule: JsonObject, conditions: readonly JsonValue[], field: string): JsonObject {
  const own = rule[field];
  return { ...rule, [field]: Array.isArray(own) ? [...conditions, ...own] : conditions };
}
