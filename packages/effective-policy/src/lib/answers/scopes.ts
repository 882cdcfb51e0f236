import type { Policy } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import type { ArrivalId, Arrivals, ArrivalsId } from '../contexts/arrivals.ts';
import type { StackId } from '../contexts/stacks.ts';
import type { UndecidedLink } from '../contexts/undecided-link.ts';
import type { PolicyShare, ScopeOutcome } from '../reasons/policy-share.ts';
import { emptySet, none } from '../support/nothing.ts';
import type { Hierarchies, Hierarchy } from './hierarchy.ts';
import { OutcomeCounts } from './outcome-counts.ts';

/** Scopes of a policy where the same policies meet, so that the policy has the same share in all. */
export interface ScopeGroup<Spec> {
  /** All ancestors of these scopes, and the topmost target of each path that has none, in the order of their locators. */
  readonly ancestors: readonly TargetNode[];
  /** The targets that the policy is attached to there. */
  readonly targets: ReadonlySet<TargetNode>;
  /** The share of the policy there. */
  readonly share: PolicyShare<Spec>;
  /** The undecided link on the way, if it is not known whether there are such scopes. */
  readonly undecidedLink?: UndecidedLink;
}

/** Returns the group of a policy's share among the policies of one target, whatever is above and below the target. */
export function groupOnTarget<Spec>(share: PolicyShare<Spec>, target: TargetNode): ScopeGroup<Spec> {
  return { share, ancestors: none, targets: new Set([target]) };
}

/** The scopes that a change has taken out of use, and into use: a scope is an arrival with its merged stack. */
export interface DifferentScopes {
  readonly gone: readonly ArrivalId[];
  readonly come: readonly ArrivalId[];
}

/**
 * The scopes of all policies: for each target, a list of arrivals with merged stacks. A list is in use while a target has it, an arrival while such a
 * list has it, and a stack while an arrival has it.
 */
export class Scopes<Spec> implements Iterable<readonly [TargetNode, ArrivalsId]> {
  readonly #arrivals: Arrivals<Spec>;
  readonly #listOf = new Map<TargetNode, ArrivalsId>();
  /** The number of targets with each list, and the number of such lists with each arrival. */
  readonly #targets = new Map<ArrivalsId, number>();
  readonly #lists = new Map<ArrivalId, number>();
  /** The arrivals in use of each stack. */
  readonly #ofStack = new Map<StackId, Set<ArrivalId>>();
  readonly #ancestors = new Map<StackId, readonly TargetNode[]>();
  /** The counts of outcomes, up to date from the first question on. */
  #outcomes: OutcomeCounts<Spec> | undefined;

  constructor(arrivals: Arrivals<Spec>) {
    this.#arrivals = arrivals;
  }

  [Symbol.iterator](): Iterator<readonly [TargetNode, ArrivalsId]> {
    return this.#listOf[Symbol.iterator]();
  }

  /**
   * Sets the scopes on a target, in place of the earlier ones.
   *
   * @returns The scopes that were removed from the last target, and those that are new. Reports depend on these alone: not on which targets
   * have a scope.
   */
  set(target: TargetNode, list: ArrivalsId): DifferentScopes {
    const listBefore = this.#listOf.get(target) ?? this.#arrivals.none;
    if (listBefore === list) return { gone: none, come: none };
    if (this.#arrivals.isEmpty(list)) this.#listOf.delete(target);
    else this.#listOf.set(target, list);
    return { come: this.#count(list, 1), gone: this.#count(listBefore, -1) };
  }

  /** Returns whether there are scopes where a stack is merged. */
  hasStack(merged: StackId): boolean {
    return this.#ofStack.has(merged);
  }

  /** Returns the outcomes of a policy, by locator, in its scopes. O(1) from the second question on. */
  outcomesOf(policy: string, hierarchies: Hierarchies<Spec>): ReadonlySet<ScopeOutcome> {
    if (this.#outcomes === undefined) {
      this.#outcomes = new OutcomeCounts(hierarchies);
      for (const stack of this.#ofStack.keys()) this.#outcomes.put(stack);
    }
    return this.#outcomes.of(policy);
  }

  /** Counts the outcomes in a stack again, after an edit of one of its policies. */
  edit(merged: StackId): void {
    this.#outcomes?.put(merged);
  }

  /**
   * Returns the scopes of a policy, grouped where the same policies meet. O(stacks).
   *
   * @param stacks The stacks with the policy.
   */
  groupsOf(
    policy: Policy<Spec>,
    stacks: Iterable<StackId>,
    hierarchies: Hierarchies<Spec>,
  ): readonly ScopeGroup<Spec>[] {
    const groups: ScopeGroup<Spec>[] = [];
    for (const stack of stacks) {
      if (!this.#ofStack.has(stack)) continue;
      const hierarchy = hierarchies.of(stack);
      const share = hierarchy.shareOf(policy);
      if (share === undefined) continue;
      groups.push({ share, targets: targetsOf(policy, hierarchy), ancestors: this.#ancestorsOf(stack) });
    }
    return groups;
  }

  /** Counts a list once more, or once less. Returns the arrivals that have come into use, or gone out of use. */
  #count(list: ArrivalsId, by: 1 | -1): readonly ArrivalId[] {
    if (this.#arrivals.isEmpty(list) || !counted(this.#targets, list, by)) return none;
    const changed = this.#arrivals.items(list).filter((arrival) => counted(this.#lists, arrival, by));
    for (const arrival of changed) {
      const stack = this.#arrivals.stackOf(arrival);
      this.#ancestors.delete(stack);
      const arrivals = this.#ofStack.get(stack) ?? new Set();
      if (by === 1) {
        if (arrivals.size === 0) this.#outcomes?.put(stack);
        this.#ofStack.set(stack, arrivals.add(arrival));
      } else if (arrivals.delete(arrival) && arrivals.size === 0) {
        this.#outcomes?.drop(stack);
        this.#ofStack.delete(stack);
      }
    }
    return changed;
  }

  #ancestorsOf(stack: StackId): readonly TargetNode[] {
    const knownAncestors = this.#ancestors.get(stack);
    if (knownAncestors !== undefined) return knownAncestors;
    const sets = Array.from(this.#ofStack.get(stack) ?? none, (arrival) => this.#arrivals.ancestorsOf(arrival));
    const ancestors = this.#arrivals.ancestors.inOrder(this.#arrivals.ancestors.union(sets));
    this.#ancestors.set(stack, ancestors);
    return ancestors;
  }
}

/** Adds to a count. Returns whether the item was added to those with a count, or removed from them. */
function counted<Item>(counts: Map<Item, number>, item: Item, by: 1 | -1): boolean {
  const count = counts.get(item) ?? 0;
  if (count + by === 0) counts.delete(item);
  else counts.set(item, count + by);
  return count === 0 || count + by === 0;
}

export function targetsOf<Spec>(policy: Policy<Spec>, { levels }: Hierarchy<Spec>): ReadonlySet<TargetNode> {
  const targets = levels.filter(({ policies }) => policies.includes(policy)).map(({ target }) => target);
  return targets.length === 0 ? emptySet : new Set(targets);
}
