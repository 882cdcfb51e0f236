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
}

const conditionSchema = {
  type: 'string',
  description: 'The condition, on what more specific policies have come to, under which these fields apply.',
};

/**
 * Lets each stanza have a condition on the policies beneath it: it applies only where the condition holds on what these
 * have come to, so that an override becomes a constraint (K-06). A condition that is faulty, or takes too long whatever the
 * spec, makes the policy invalid. Where a condition asks for a field that is not there, it does not hold.
 *
 * @param reader How stanzas are read otherwise.
 * @param language The language of the conditions.
 * @param options Where conditions are written.
 * @returns The reader.
 * @example
 * ```ts
 * withConditions(defaultsAndOverrides({ strategies: { atomic, merge: namedRules('limits') } }), celConditions());
 * ```
 */
export function withConditions(
  reader: StanzaReader,
  language: ConditionLanguage,
  { field = 'when', failing = 'applies' }: ConditionOptions = {},
): StanzaReader {
  const readBlock = (block: Block, faults: Fault[]): Block => {
    const expression = block.spec[field];
    if (expression === undefined) return block;
    const rest = { ...block, spec: without(block.spec, [field]) };
    const pointer = formatPointer([...parsePointer(block.pointer), field]);
    if (typeof expression !== 'string') {
      faults.push({ message: 'a condition must be a text', pointer });
      return rest;
    }
    try {
      return { ...rest, when: language.compile(expression), whenFails: failing };
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
    ...reshaped(reader, withStanzaFields({ [field]: conditionSchema })),
  };
}
