import type { PolicyReport } from '@policy-machinery/policy-status';
import { groupKindKey, type ResourceRef, refOf } from '@policy-machinery/resource';
import { type StateOutcome, stateOutcome } from '../answers/policy-state.ts';
import type { Comparison } from './compare.ts';

/** A policy of which something else becomes. */
export interface OutcomeChange {
  readonly policy: ResourceRef;
  /** `undefined` if the policy is not there. */
  readonly before: StateOutcome | undefined;
  readonly after: StateOutcome | undefined;
  /** Why it is so afterwards; before, if the policy is gone. */
  readonly message: string;
  /** Whether the policy had effect before, and has none afterwards, although it is still there. */
  readonly isLost: boolean;
}

/** Outcomes with effect on anything. */
const inForce: ReadonlySet<StateOutcome | undefined> = new Set(['enforced', 'partly-enforced', 'not-merged']);

/**
 * Returns the policies of which something else becomes.
 *
 * @param comparison What is compared.
 * @returns One for each policy whose outcome differs, in the order of their locators.
 */
export function outcomeChanges({ before: { views }, impact: { outcomes } }: Comparison): readonly OutcomeChange[] {
  const merging = new Map(views.map(({ found: { kind, merging } }) => [groupKindKey(kind), merging]));
  return outcomes.flatMap(({ before, after }): readonly OutcomeChange[] => {
    const report = after ?? before;
    if (report === undefined) return [];
    const ref = refOf(report.policy.resource, report.policy.kind.scope);
    const stateOf = (of: PolicyReport | undefined) =>
      of === undefined ? undefined : stateOutcome(of.outcome, merging.get(groupKindKey(ref)) ?? 'known');
    const [was, is] = [stateOf(before), stateOf(after)];
    if (was === is) return [];
    const isLost = inForce.has(was) && is !== undefined && !inForce.has(is);
    return [{ policy: ref, before: was, after: is, message: report.message, isLost }];
  });
}
