import type { Policy } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import type { EffectiveField } from '../reasons/fields.ts';
import { isWithin } from '../support/pointers.ts';
import { type Context, EffectivePolicy } from './effective-policy.ts';

/** What applies to a target, and who says so (D-09). */
export interface Explanation<Spec> {
  /** The target; `undefined` when the topology has no such target. */
  readonly target: TargetNode | undefined;
  /** Which policies affect it: those that set a field of an effective policy here. Established first. */
  readonly policies: readonly Policy<Spec>[];
  /** What applies: the effective policies of the target, or of those below it, in the order of their locators. */
  readonly effective: readonly ExplainedPolicy<Spec>[];
}

/** An effective policy, field by field. */
export interface ExplainedPolicy<Spec> {
  readonly policy: EffectivePolicy<Spec>;
  /**
   * Each field that was asked for: what it is, who set it, and over whom and by which rule. Computed when first read, once for all contexts
   * in which the very same policies meet.
   */
  readonly fields: readonly EffectiveField<Spec>[];
}

/** Explains the contexts in which a policy sets, or would have set, a field at the pointer. */
export function explainedIn<Spec>(
  contexts: readonly Context<Spec>[],
  pointer: string,
): readonly ExplainedPolicy<Spec>[] {
  const known = new Map<unknown, readonly EffectiveField<Spec>[]>();
  const isMeant = pointer === '' ? undefined : (field: EffectiveField<Spec>) => isWithin(field.pointer, pointer);
  return contexts.flatMap((policy) => {
    if (!(policy instanceof EffectivePolicy)) return [];
    const explained: ExplainedPolicy<Spec> = {
      policy,
      get fields() {
        return policy.fieldsIn(known, isMeant);
      },
    };
    return isMeant !== undefined && explained.fields.length === 0 ? [] : [explained];
  });
}
