import { formatPointer, parsePointer } from '@policy-machinery/resource';
import { without } from './bare-spec.ts';
import type { ConditionLanguage } from './condition.ts';
import { reshaped, withStanzaFields } from './spec-shape.ts';
import type { Fault, LayerReading, StanzaReader } from './stanza-reader.ts';

/** Where stanzas have their condition. */
export interface ConditionOptions {
  /** Default `when`. */
  readonly field?: string | undefined;
  /**
   * How to treat a stanza if its condition evaluates neither to true nor to false: for example, if the spec below has a
   * field of another type, or is so large that the condition would take too long. In both cases the effective
   * policy reports it.
   * - `applies` (default): no one can evade an override by making its condition fail.
   * - `is-left-out`: a condition that cannot be evaluated binds no one.
   */
  readonly failing?: 'applies' | 'is-left-out' | undefined;
  /**
   * The subject of conditions:
   * - `below` (default): the merged spec of the more specific policies. Defaults from above do not count, so such an override
   *   is not a cap: if no policy below sets the field, a default from above bypasses it.
   * - `result`: the spec that would apply without the stanza, including defaults from above; overrides from above can still
   *   differ. Only overrides can have such a condition.
   */
  readonly on?: 'below' | 'result' | undefined;
}

const subjects = {
  below: 'the merged spec of more specific policies',
  result: 'the result without these fields, including defaults from above',
};

/**
 * Returns a reader for stanzas with a condition on the policies below: a stanza applies only if the condition holds on their
 * merged spec, so that an override becomes a constraint. A condition that is faulty, or takes too long for any spec,
 * makes the policy invalid. A condition that reads a missing field does not hold.
 *
 * For a cap, use a condition on the result, which includes defaults from above. You can nest readers, so that policies can
 * choose between two fields.
 *
 * @param reader The reader to wrap.
 * @param language The language of the conditions.
 * @param options Where the conditions are.
 * @returns The reader.
 * @example
 * ```ts
 * const reader = defaultsAndOverrides({ strategies: { atomic, merge: namedRules('/limits') } });
 * withConditions(reader, celConditions());
 * withConditions(reader, celConditions(), { field: 'whenResult', on: 'result' });
 * ```
 */
export function withConditions<Reader extends StanzaReader>(
  reader: Reader,
  language: ConditionLanguage,
  { field = 'when', failing = 'applies', on = 'below' }: ConditionOptions = {},
): Reader {
  const readLayer = (layer: LayerReading, faults: Fault[]): LayerReading => {
    const expression = layer.spec[field];
    if (expression === undefined) return layer;
    const rest = { ...layer, spec: without(layer.spec, [field]) };
    const pointer = formatPointer([...parsePointer(layer.pointer), field]);
    if (typeof expression !== 'string') {
      faults.push({ message: 'a condition must be a string', pointer });
      return rest;
    }
    const misplaced = misplacedCondition(layer, on);
    if (misplaced !== undefined) {
      faults.push({ message: misplaced, pointer });
      return rest;
    }
    try {
      const about = on === 'below' ? {} : { whenOn: on };
      return { ...rest, when: language.compile(expression), whenFails: failing, ...about };
    } catch (error) {
      faults.push({ message: error instanceof Error ? error.message : String(error), pointer });
      return rest;
    }
  };
  return {
    ...reader,
    read(spec) {
      const { layers, faults } = reader.read(spec);
      const allFaults = [...faults];
      return { layers: layers.map((layer) => readLayer(layer, allFaults)), faults: allFaults };
    },
    ...reshaped(reader, withStanzaFields({ [field]: schemaOf(on) })),
  };
}

function schemaOf(on: keyof typeof subjects) {
  return { type: 'string', description: `These fields apply only under this condition on ${subjects[on]}.` };
}

/** Returns why a layer cannot have a condition there; `undefined` if it can. */
function misplacedCondition({ when, stanza }: LayerReading, on: keyof typeof subjects): string | undefined {
  if (when !== undefined) return 'there is another condition beside this one; keep one of them';
  if (on === 'below' || stanza === 'overrides') return undefined;
  return 'defaults cannot have a condition on the result; put the fields into overrides, or leave the condition out';
}
