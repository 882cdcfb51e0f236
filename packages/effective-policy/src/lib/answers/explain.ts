import type { Policy } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import type { EffectiveField } from '../reasons/fields.ts';
import { isWithin } from '../support/pointers.ts';
import { type Context, EffectivePolicy } from './effective-policy.ts';

/** The policies that apply to a target, and the origin of each field. */
export interface Explanation<Spec> {
  /** The target; `undefined` if the topology does not have such a target. */
  readonly target: TargetNode | undefined;
  /** The policies that affect the target: those that set a field of an effective policy here. Established first. */
  readonly policies: readonly Policy<Spec>[];
  /** The effective policies of the target, or of those below it, in the order of their targets' locators. */
  readonly effective: readonly ExplainedPolicy<Spec>[];
}

/** An effective policy, field by field. */
export interface ExplainedPolicy<Spec> {
  readonly policy: EffectivePolicy<Spec>;
  /**
   * Each field in question: its value, the layers that set it, and those that lost, with the rule. Computed when first read, once for all
   * contexts with the same policies.
   */
  readonly fields: readonly EffectiveField<Spec>[];
}

/** Returns the contexts where a policy sets a field at the pointer, or loses one, each explained. */
export function explainedIn<Spec>(
  contexts: readonly Context<Spec>[],
  pointer: string,
): readonly ExplainedPolicy<Spec>[] {
  const cache = new Map<unknown, readonly EffectiveField<Spec>[]>();
  const isMeant = pointer === '' ? undefined : (field: EffectiveField<Spec>) => isWithin(field.pointer, pointer);
  return contexts.flatMap((policy) => {
    if (!(policy instanceof EffectivePolicy)) return [];
    const explained: ExplainedPolicy<Spec> = {
      policy,
      get fields() {
        return policy.fieldsIn(cache, isMeant);
      },
    };
    return isMeant !== undefined && explained.fields.length === 0 ? [] : [explained];
  });
}
