import type { Policy } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import { isEqualList, isSameSet } from '../support/same.ts';
import type { Loss } from './loss.ts';

/**
 * The outcome of a policy in one scope:
 * - `enforced`: the policy holds all fields that it sets.
 * - `partly-enforced`: the policy lost some fields, or a part of it could not be carried out.
 * - `overridden`: the policy lost all fields.
 * - `conflicted`: the policy lost all fields, because its kind does not admit it beside another policy.
 * - `undecided`: a fact that is not known decides between these, or whether there is such a scope.
 */
export type ScopeOutcome = 'enforced' | 'partly-enforced' | 'overridden' | 'conflicted' | 'undecided';

/** The share of one policy in the result of one scope. */
export interface PolicyShare<Spec> {
  readonly policy: Policy<Spec>;
  readonly outcome: ScopeOutcome;
  /** Whether the policy set or removed a field of the effective policy. */
  readonly contributes: boolean;
  /** Whether the policy contributes together with other policies: it is in force, merged with these. */
  readonly isMerged: boolean;
  /** The losses of the policy, with the winning layers and the rule. */
  readonly losses: readonly Loss<Spec>[];
  /** The parts of the policy that could not be carried out: a condition or strategy that failed, an operation that cannot be applied. */
  readonly issues: readonly Issue[];
}

/** Returns the locators of the policies that set or removed anything. */
export function settersAmong(shares: readonly PolicyShare<unknown>[]): ReadonlySet<string> {
  const setters = new Set<string>();
  for (const { policy, contributes } of shares) if (contributes) setters.add(policy.locator);
  return setters;
}

/** The shares of the policies in one scope, and the locators of those that set or removed anything. */
export interface SharesAndSetters<Spec> {
  readonly shares: readonly PolicyShare<Spec>[];
  readonly setters: ReadonlySet<string>;
}

/**
 * Returns whether policies of the same names contribute, and each is as established as before. Usually both lists have the same policies in
 * the same order.
 *
 * @param compare The order of policies, established first.
 */
export function isSetBySame<Spec>(
  sharesBefore: SharesAndSetters<Spec>,
  sharesNow: SharesAndSetters<Spec>,
  compare: (a: Policy<Spec>, b: Policy<Spec>) => number,
): boolean {
  const isAsEstablished = (a: Policy<Spec>, b: Policy<Spec>): boolean => a === b || compare(a, b) === 0;
  const isLike = (a: PolicyShare<Spec>, b: PolicyShare<Spec>): boolean =>
    a.contributes === b.contributes &&
    a.policy.locator === b.policy.locator &&
    (!a.contributes || isAsEstablished(a.policy, b.policy));
  if (isEqualList(sharesBefore.shares, sharesNow.shares, isLike)) return true;
  if (!isSameSet(sharesBefore.setters, sharesNow.setters)) return false;
  const was = new Map(sharesBefore.shares.map(({ policy }) => [policy.locator, policy]));
  return sharesNow.shares.every(({ policy, contributes }) => {
    return !contributes || isAsEstablished(was.get(policy.locator) ?? policy, policy);
  });
}
