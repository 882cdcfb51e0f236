import type { PolicyReport } from '@policy-machinery/policy-status';
import { groupKindKey, type ResourceRef, refOf } from '@policy-machinery/resource';
import { type StateOutcome, stateOutcome } from '../model/state-outcome.ts';
import type { Comparison } from './compare.ts';

/** A policy whose outcome changes. */
export interface OutcomeChange {
  readonly policy: ResourceRef;
  /** The outcome before; `undefined` if the policy does not exist. */
  readonly before: StateOutcome | undefined;
  readonly after: StateOutcome | undefined;
  /** The reason for the outcome after the change; before it, if the policy is removed. */
  readonly message: string;
  /** Whether the policy still exists, and loses all effect. */
  readonly isLost: boolean;
}

/** The outcomes of policies with effect. */
const inForce: ReadonlySet<StateOutcome | undefined> = new Set(['enforced', 'partly-enforced', 'not-merged']);

/**
 * Returns the policies whose outcome changes.
 *
 * @param comparison The comparison.
 * @returns The policies, sorted by locator.
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
