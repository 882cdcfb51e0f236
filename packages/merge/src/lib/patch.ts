import { jsonMergePatch } from './field-rule.ts';
import { withRemovals } from './merge-fields.ts';
import { mergePatch } from './merge-patch.ts';
import type { TwoSidedStrategy } from './strategy.ts';

/** Patch: field by field, as RFC 7386 merges. Defaults fill in fields that the challenger omits, and overrides replace fields that both set. */
export const patch: TwoSidedStrategy<unknown> = {
  granularity: 'Patch',
  defaults: (established, challenger) => mergePatch(established, challenger),
  overrides: (established, challenger) => mergePatch(challenger, established),
  withRemovals: (spec) => withRemovals(spec, jsonMergePatch),
};
