import { formatPointer, parsePointer } from '@policy-machinery/resource';
import { without } from './bare-spec.ts';
import type { ConditionLanguage } from './condition.ts';
import { reshaped, withStanzaFields } from './spec-shape.ts';
import type { Block, Fault, StanzaReader } from './stanza-reader.ts';

/** Where stanzas write their condition. */
export interface ConditionOptions {
  /** Default `when`. */
  readonly field?: string;
  /**
   * What becomes of a stanza where its condition can be evaluated neither to true nor to false: the spec beneath it has a field
   * of another type, say, or is so big that the condition would take too long. Either way the effective policy reports it.
   * - `applies` (default): nobody gets rid of an override by making its condition fail.
   * - `is-left-out`: nobody is bound by a condition that cannot be evaluated.
   */
  readonly failing?: 'applies' | 'is-left-out';
  /**
   * What conditions are about:
   * - `below` (default): what more specific policies have come to. What defaults from above add does not count, so that an override of this
   *   kind is no cap: where no policy below sets the field, a default from above passes it.
   * - `result`: what would apply without the stanza, defaults from above included; overrides from above are still free to differ. Overrides
   *   alone can have such a condition.
   */
  readonly on?: 'below' | 'result';
}

const subjects = {
  below: 'what more specific policies have come to',
  result: 'what would apply without these fields, defaults from above included',
};

/**
 * Lets each stanza have a condition on the policies beneath it: it applies only where the condition holds on what these
 * have come to, so that an override becomes a constraint (K-06). A condition that is faulty, or takes too long whatever the
 * spec, makes the policy invalid. Where a condition asks for a field that is not there, it does not hold.
 *
 * A cap is a condition on the result, since a default from above counts for it as well. Readers can be nested, so that policies choose
 * between two fields.
 *
 * @param reader How stanzas are read otherwise.
 * @param language The language of the conditions.
 * @param options Where conditions are written.
 * @returns The reader.
 * @example
 * ```ts
 * const reader = defaultsAndOverrides({ strategies: { atomic, merge: namedRules('limits') } });
 * withConditions(reader, celConditions());
 * withConditions(reader, celConditions(), { field: 'whenResult', on: 'result' });
 * ```
 */
export function withConditions(
  reader: StanzaReader,
  language: ConditionLanguage,
  { field = 'when', failing = 'applies', on = 'below' }: ConditionOptions = {},
): StanzaReader {
  const readBlock = (block: Block, faults: Fault[]): Block => {
    const expression = block.spec[field];
    if (expression === undefined) return block;
    const rest = { ...block, spec: without(block.spec, [field]) };
    const pointer = formatPointer([...parsePointer(block.pointer), field]);
    if (typeof expression !== 'string') {
      faults.push({ message: 'a condition must be a string', pointer });
      return rest;
    }
    const misplaced = misplacedCondition(block, on);
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
      const { blocks, faults } = reader.read(spec);
      const all = [...faults];
      return { blocks: blocks.map((block) => readBlock(block, all)), faults: all };
    },
    ...reshaped(reader, withStanzaFields({ [field]: schemaOf(on) })),
  };
}

function schemaOf(on: keyof typeof subjects) {
  return { type: 'string', description: `The condition, on ${subjects[on]}, under which these fields apply.` };
}

/** Why a block cannot have a condition there; `undefined` where it can. */
function misplacedCondition({ when, stanza }: Block, on: keyof typeof subjects): string | undefined {
  if (when !== undefined) return 'there is another condition beside this one; keep one of them';
  if (on === 'below' || stanza === 'overrides') return undefined;
  return 'defaults cannot have a condition on the result; put the fields into overrides, or leave the condition out';
}
