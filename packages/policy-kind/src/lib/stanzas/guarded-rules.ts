import { formatPointer, isJsonObject, type JsonObject, type JsonValue, parsePointer } from '@policy-machinery/resource';
import { without } from './bare-spec.ts';
import { holdsMoreThan, maxValues } from './holds-more-than.ts';
import { reshaped, withStanzaFields } from './spec-shape.ts';
import type { Fault, LayerReading, StanzaReader } from './stanza-reader.ts';

/** Which conditions guard rules, and where the rules are. */
export interface GuardedRulesOptions {
  /** The field of a stanza, and of each rule, that lists conditions. All of them must hold. Default `when`. */
  readonly field?: string | undefined;
  /** JSON Pointers to the named rules, as for `namedRules`: `['/limits']`, or `['/rules/*']`. */
  readonly rules: readonly string[];
}

/**
 * Returns a reader that moves the conditions of a stanza into each of its rules, so that they stay with these rules when
 * policies are merged. If the conditions were merged as a separate field, the condition of one policy would guard the rules of
 * another.
 *
 * @param reader The reader to wrap.
 * @param options Which conditions guard rules, and where the rules are.
 * @returns The reader. A stanza without rules keeps its conditions. If the rules would have more than 100,000 values of
 * conditions, the policy is invalid.
 * @example
 * ```yaml
 * when: [{ predicate: request.path == "/admin" }]
 * limits: { mine: { rates: [{ limit: 5, window: 1m }] } }
 * ```
 */
export function guardedRules<Reader extends StanzaReader>(
  reader: Reader,
  { field = 'when', rules }: GuardedRulesOptions,
): Reader {
  const paths = rules.map(parsePointer);
  const guard = (layer: LayerReading, faults: Fault[]): LayerReading => {
    const { spec, pointer } = layer;
    const conditions = spec[field];
    if (!Array.isArray(conditions)) return layer;
    const rest = without(spec, [field]);
    const count = paths.reduce((sum, path) => sum + countWithin(rest, path), 0);
    if (count > 1 && holdsMoreThan(conditions, Math.floor(maxValues / count))) {
      const message = `repeated in each of its ${count} rules, these conditions have more than ${maxValues} values; write fewer`;
      faults.push({ message, pointer: formatPointer([...parsePointer(pointer), field]) });
      return layer;
    }
    const guarded = paths.reduce((partlyGuarded, path) => within(partlyGuarded, path, conditions, field), rest);
    return guarded === rest ? layer : { ...layer, spec: guarded };
  };
  return {
    ...reader,
    read(spec) {
      const { layers, faults } = reader.read(spec);
      const allFaults = [...faults];
      return { layers: layers.map((layer) => guard(layer, allFaults)), faults: allFaults };
    },
    ...reshaped(reader, withStanzaFields({ [field]: guardsSchema })),
  };
}

const guardsSchema = { type: 'array', items: {}, description: 'Conditions on requests, for all rules beside them.' };

/** Returns the number of rules below a path. */
function countWithin(value: JsonValue | undefined, [key, ...rest]: readonly string[]): number {
  if (!isJsonObject(value)) return 0;
  if (key === undefined) return Object.values(value).filter(isJsonObject).length;
  if (key !== '*') return Object.hasOwn(value, key) ? countWithin(value[key], rest) : 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countWithin(inner, rest), 0);
}

/** Returns a spec with the given conditions before the conditions of the rules below a path; the same spec without rules. */
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
  const ownConditions = rule[field];
  return { ...rule, [field]: Array.isArray(ownConditions) ? [...conditions, ...ownConditions] : conditions };
}
