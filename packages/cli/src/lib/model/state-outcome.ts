import type { PolicyOutcome } from '@policy-machinery/conditions';

/**
 * The outcome of a policy; `not-merged` if the policy is attached, and the merging of its kind is not known; `not-rendered` if the outcome depends on
 * changes or additions of a renderer; `no-requests` if other rules take the requests of all its targets.
 */
export type StateOutcome = PolicyOutcome | 'not-merged' | 'not-rendered' | 'no-requests';

/** The outcomes that depend on merging. */
const merged: ReadonlySet<PolicyOutcome> = new Set(['enforced', 'partly-enforced', 'overridden', 'conflicted']);

/**
 * Returns the outcome of a policy, as far as known.
 *
 * @param outcome The outcome if policies were merged.
 * @param merging Whether the merging of the kind is known.
 * @returns The outcome; `not-merged` if the outcome depends on merging.
 */
export function stateOutcome(outcome: PolicyOutcome, merging: 'known' | 'unknown'): StateOutcome {
  return merging === 'unknown' && merged.has(outcome) ? 'not-merged' : outcome;
}
