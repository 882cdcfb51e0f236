import type { PolicyReport } from '@policy-machinery/policy-status';
import { groupKindKey, type ResourceRef, refOf } from '@policy-machinery/resource';
import { notRendered } from '../answers/policy-state.ts';
import { hasGrounds } from '../input/gitops/grounds.ts';
import { type StateOutcome, stateOutcome } from '../model/state-outcome.ts';
import type { World } from '../model/world.ts';
import type { Comparison } from './compare.ts';

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

/** The outcomes that say nothing of an effect: the policy is gone, or the answer depends on a renderer, or on objects that are not in the input. */
const unknown: ReadonlySet<StateOutcome | undefined> = new Set([undefined, 'not-rendered', 'undecided']);

/**
 * Returns the policies with an outcome that changes.
 *
 * @returns The policies, sorted by locator.
 */
export function outcomeChanges({
  before: old,
  after: young,
  impact: { outcomes },
}: Comparison): readonly OutcomeChange[] {
  const { views } = old;
  const merging = new Map(views.map(({ found: { kind, merging } }) => [groupKindKey(kind), merging]));
  return outcomes.flatMap(({ before, after }): readonly OutcomeChange[] => {
    const report = after ?? before;
    if (report === undefined) return [];
    const ref = refOf(report.policy.resource, report.policy.kind.scope);
    const stateOf = (of: PolicyReport | undefined, world: World): StateOutcome | undefined => {
      if (of === undefined) return undefined;
      const { outcome, policy } = of;
      const isGrounded = outcome === 'enforced' || hasGrounds(world, { code: outcome, resource: policy.locator });
      return isGrounded ? stateOutcome(outcome, merging.get(groupKindKey(ref)) ?? 'known') : 'not-rendered';
    };
    const [was, is] = [stateOf(before, old), stateOf(after, young)];
    if (was === is) return [];
    const isLost = inForce.has(was) && !unknown.has(is) && !inForce.has(is);
    const message = is === 'not-rendered' ? notRendered(young, report.policy) : report.message;
    return [{ policy: ref, before: was, after: is, message, isLost }];
  });
}
