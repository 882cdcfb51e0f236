import type { StackId } from '../contexts/stacks.ts';
import type { PolicyShare, ScopeOutcome } from '../reasons/policy-share.ts';
import { emptySet, none } from '../support/nothing.ts';
import type { Hierarchies } from './hierarchy.ts';

/** Counts the stacks where each policy has each outcome, so that the outcomes of a policy take no search. */
export class OutcomeCounts<Spec> {
  readonly #hierarchies: Hierarchies<Spec>;
  /** The shares that were counted for each stack. */
  readonly #counted = new Map<StackId, readonly PolicyShare<Spec>[]>();
  readonly #byPolicy = new Map<string, Map<ScopeOutcome, number>>();

  constructor(hierarchies: Hierarchies<Spec>) {
    this.#hierarchies = hierarchies;
  }

  of(policy: string): ReadonlySet<ScopeOutcome> {
    const counts = this.#byPolicy.get(policy);
    return counts === undefined ? emptySet : new Set(counts.keys());
  }

  /** Counts a stack with its current policies, in place of its earlier count. */
  put(stack: StackId): void {
    const counted = this.#counted.get(stack) ?? none;
    const shares = this.#hierarchies.of(stack).shares;
    this.#counted.set(stack, shares);
    for (const [index, share] of shares.entries()) if (!hasSameOutcome(share, counted[index])) this.#add(share, 1);
    for (const [index, share] of counted.entries()) if (!hasSameOutcome(share, shares[index])) this.#add(share, -1);
  }

  drop(stack: StackId): void {
    for (const share of this.#counted.get(stack) ?? none) this.#add(share, -1);
    this.#counted.delete(stack);
  }

  #add({ policy: { locator }, outcome }: PolicyShare<Spec>, more: number): void {
    const counts = this.#byPolicy.get(locator) ?? new Map<ScopeOutcome, number>();
    const count = (counts.get(outcome) ?? 0) + more;
    if (count > 0) counts.set(outcome, count);
    else counts.delete(outcome);
    if (counts.size > 0) this.#byPolicy.set(locator, counts);
    else this.#byPolicy.delete(locator);
  }
}

function hasSameOutcome(share: PolicyShare<unknown>, other: PolicyShare<unknown> | undefined): boolean {
  return share.outcome === other?.outcome && share.policy.locator === other.policy.locator;
}
