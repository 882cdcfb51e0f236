import type { Hierarchies } from '../answers/hierarchy.ts';
import type { DifferentScopes, Scope } from '../answers/scopes.ts';
import { levelsOf } from '../contexts/stack.ts';
import type { PolicyShare } from '../reasons/policy-share.ts';
import { shareComparison } from '../reasons/share-comparison.ts';
import { isEqualList, isSameSet } from '../support/same.ts';

/**
 * Touches the policies whose status may need updating when scopes on a target replace others, and possibly more. Usually a new scope
 * differs from the earlier one in one policy; then the shares of the others are compared.
 *
 * @param touch Receives the locators.
 */
export function touchPolicies<Spec>(
  { gone, come }: DifferentScopes<Spec>,
  hierarchies: Hierarchies<Spec>,
  touch: (policy: string) => void,
): void {
  if (gone.length !== come.length) {
    for (const { merged } of [...gone, ...come]) touchAll(hierarchies.of(merged).shares, touch);
    return;
  }
  for (const [index, before] of gone.entries()) {
    const now = come[index] as Scope<Spec>;
    const [was, is] = [hierarchies.of(before.merged).shares, hierarchies.of(now.merged).shares];
    if (isLike(before, now)) touchDifferent(was, is, touch);
    else for (const shares of [was, is]) touchAll(shares, touch);
  }
}

/**
 * Touches the policies whose shares differ, for hierarchies with policies of the same names on the same targets; all policies for others.
 */
export function touchDifferent<Spec>(
  before: readonly PolicyShare<Spec>[],
  now: readonly PolicyShare<Spec>[],
  touch: (policy: string) => void,
): void {
  if (!isEqualList(before, now, isOfSamePolicy)) {
    for (const shares of [before, now]) touchAll(shares, touch);
    return;
  }
  for (const [index, share] of before.entries()) {
    if (!isSameShare(share, now[index] as PolicyShare<Spec>)) touch(share.policy.locator);
  }
}

function touchAll(shares: readonly PolicyShare<unknown>[], touch: (policy: string) => void): void {
  for (const { policy } of shares) touch(policy.locator);
}

function isOfSamePolicy(a: PolicyShare<unknown>, b: PolicyShare<unknown>): boolean {
  return a.policy.locator === b.policy.locator;
}

/** Returns whether two scopes have the same ancestors, and policies of the same names on the same targets. */
function isLike<Spec>(a: Scope<Spec>, b: Scope<Spec>): boolean {
  const isSamePolicy = (one: Named, other: Named): boolean => one.locator === other.locator;
  return (
    isSameSet(a.ancestors, b.ancestors) &&
    isEqualList(
      levelsOf(a.merged),
      levelsOf(b.merged),
      (one, other) => one.target === other.target && isEqualList(one.policies, other.policies, isSamePolicy),
    )
  );
}

interface Named {
  readonly locator: string;
}

const isSameShare = shareComparison(
  (a, b) => a.policy.locator === b.policy.locator && a.stanza === b.stanza && a.level.target === b.level.target,
);
