import type { Policy } from '@policy-machinery/policy-kind';
import type { DifferentScopes } from '../answers/scopes.ts';
import type { ViewState } from '../answers/view-state.ts';
import type { ArrivalId } from '../contexts/arrivals.ts';
import type { PolicyShare } from '../reasons/policy-share.ts';
import { shareComparison } from '../reasons/share-comparison.ts';
import { isEqualList } from '../support/same.ts';

/**
 * Touches the policies that may need a status update when scopes on a target replace others, and possibly more. Usually a new scope
 * differs from the earlier one in one policy; then the shares of the others are compared.
 *
 * @param touch Receives the locators.
 */
export function touchPolicies<Spec>(
  state: ViewState<Spec>,
  { gone, come }: DifferentScopes,
  touch: (policy: string) => void,
): void {
  const { arrivals } = state.contexts.positions;
  const sharesIn = (arrival: ArrivalId) => state.hierarchies.of(arrivals.stackOf(arrival)).shares;
  const pairs =
    gone.length === come.length
      ? gone.map((scopeBefore, index) => [scopeBefore, come[index] ?? scopeBefore] as const)
      : [];
  if (pairs.length === 0) for (const arrival of [...gone, ...come]) touchAll(sharesIn(arrival), touch);
  for (const [oldScope, newScope] of pairs) {
    if (isLike(state, oldScope, newScope)) touchDifferent(sharesIn(oldScope), sharesIn(newScope), touch);
    else for (const arrival of [oldScope, newScope]) touchAll(sharesIn(arrival), touch);
  }
}

/** Touches the policies with different shares, for hierarchies with policies of the same names on the same targets; all policies for others. */
export function touchDifferent<Spec>(
  sharesBefore: readonly PolicyShare<Spec>[],
  currentShares: readonly PolicyShare<Spec>[],
  touch: (policy: string) => void,
): void {
  if (!isEqualList(sharesBefore, currentShares, isOfSamePolicy)) {
    for (const shares of [sharesBefore, currentShares]) touchAll(shares, touch);
    return;
  }
  for (const [index, share] of sharesBefore.entries()) {
    if (!isSameShare(share, currentShares[index] as PolicyShare<Spec>)) touch(share.policy.locator);
  }
}

function touchAll(shares: readonly PolicyShare<unknown>[], touch: (policy: string) => void): void {
  for (const { policy } of shares) touch(policy.locator);
}

function isOfSamePolicy(a: PolicyShare<unknown>, b: PolicyShare<unknown>): boolean {
  return a.policy.locator === b.policy.locator;
}

/** Returns whether two scopes have the same ancestors, and policies of the same names on the same targets. */
function isLike<Spec>({ contexts }: ViewState<Spec>, a: ArrivalId, b: ArrivalId): boolean {
  const { arrivals } = contexts.positions;
  const levelsOf = (arrival: ArrivalId) => arrivals.stacks.levelsOf(arrivals.stackOf(arrival));
  const isSamePolicy = (policy: Policy<unknown>, other: Policy<unknown>): boolean => policy.locator === other.locator;
  return (
    arrivals.ancestorsOf(a) === arrivals.ancestorsOf(b) &&
    isEqualList(
      levelsOf(a),
      levelsOf(b),
      (level, other) => level.target === other.target && isEqualList(level.policies, other.policies, isSamePolicy),
    )
  );
}

const isSameShare = shareComparison(
  (a, b) => a.policy.locator === b.policy.locator && a.stanza === b.stanza && a.level.target === b.level.target,
);
