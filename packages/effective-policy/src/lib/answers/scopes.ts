import type { Policy } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import type { UndecidedLink } from '../contexts/contexts.ts';
import type { Stack } from '../contexts/stack.ts';
import type { PolicyShare, ScopeOutcome } from '../reasons/policy-share.ts';
import { emptySet, none } from '../support/nothing.ts';
import { inOrder, onlyOne, type TargetSet } from '../support/target-sets.ts';
import type { Hierarchies, Hierarchy } from './hierarchy.ts';
import { OutcomeCounts } from './outcome-counts.ts';

/** Scopes of a policy in which the same policies meet, so that the policy has the same share in all. */
export interface ScopeGroup<Spec> {
  /** All ancestors of these scopes, and the topmost target of each path that has none, in the order of their locators. */
  readonly ancestors: readonly TargetNode[];
  /** The targets to which the policy is attached there. */
  readonly targets: ReadonlySet<TargetNode>;
  /** The share of the policy there. */
  readonly share: PolicyShare<Spec>;
  /** The undecided link on the way, if it is not known whether there are such scopes. */
  readonly undecidedLink?: UndecidedLink;
}

/** Returns the group of a policy's share among the policies of one target, whatever is above and below the target. */
export function groupOnTarget<Spec>(share: PolicyShare<Spec>, target: TargetNode): ScopeGroup<Spec> {
  return { share, ancestors: none, targets: onlyOne(target) };
}

/** Contexts with the same merged levels and the same ancestors. */
export interface Scope<Spec> {
  /** The levels that are merged there. */
  readonly merged: Stack<Spec>;
  readonly ancestors: TargetSet;
}

/** A scope, and the number of targets that have it. */
interface KnownScope<Spec> extends Scope<Spec> {
  readonly around: ScopesOfStack<Spec>;
  readonly key: string;
  count: number;
}

/** The scopes in which a stack is merged. */
interface ScopesOfStack<Spec> {
  readonly merged: Stack<Spec>;
  readonly byAncestors: Map<string, KnownScope<Spec>>;
  /** The ancestors of all scopes, in order; computed on demand. */
  ancestors: readonly TargetNode[] | undefined;
}

/** The difference between the scopes on a target before and after a change. */
export interface DifferentScopes<Spec> {
  readonly gone: readonly Scope<Spec>[];
  readonly come: readonly Scope<Spec>[];
}

/** The scopes of all policies, shared by all targets that have them. */
export class Scopes<Spec> {
  readonly #ofTarget = new Map<TargetNode, readonly KnownScope<Spec>[]>();
  readonly #byStack = new Map<Stack<Spec>, ScopesOfStack<Spec>>();
  readonly #keys = new WeakMap<TargetSet, string>();
  readonly #numbers = new WeakMap<TargetNode, number>();
  #next = 0;
  /** The counts of outcomes, up to date from the first question on. */
  #outcomes: OutcomeCounts<Spec> | undefined;
  /** The scopes that were set last. */
  #last: { readonly scopes: readonly Scope<Spec>[]; readonly known: readonly KnownScope<Spec>[] } | undefined;

  /**
   * Sets the scopes on a target, in place of the earlier ones.
   *
   * @returns The scopes that only the target's earlier list has, and those that only the new one has.
   */
  set(target: TargetNode, scopes: readonly Scope<Spec>[]): DifferentScopes<Spec> {
    const before = this.#ofTarget.get(target) ?? none;
    const now = this.#allKnown(scopes);
    if (now.length > 0) this.#ofTarget.set(target, now);
    else this.#ofTarget.delete(target);
    const [gone, come] = [without(before, now), without(now, before)];
    for (const scope of come) this.#add(scope);
    for (const scope of gone) this.#remove(scope);
    return { gone, come };
  }

  /** Returns whether there are scopes in which a stack is merged. */
  hasStack(merged: Stack<Spec>): boolean {
    return this.#byStack.has(merged);
  }

  /** Returns the outcomes of a policy, by locator, in its scopes. O(1) from the second question on. */
  outcomesOf(policy: string, hierarchies: Hierarchies<Spec>): ReadonlySet<ScopeOutcome> {
    if (this.#outcomes === undefined) {
      this.#outcomes = new OutcomeCounts(hierarchies);
      for (const stack of this.#byStack.keys()) this.#outcomes.put(stack);
    }
    return this.#outcomes.of(policy);
  }

  /** Counts the outcomes in a stack again, after an edit of one of its policies. */
  edit(merged: Stack<Spec>): void {
    this.#outcomes?.put(merged);
  }

  /**
   * Returns the scopes of a policy, grouped where the same policies meet. O(stacks).
   *
   * @param stacks The stacks with the policy.
   */
  groupsOf(
    policy: Policy<Spec>,
    stacks: Iterable<Stack<Spec>>,
    hierarchies: Hierarchies<Spec>,
  ): readonly ScopeGroup<Spec>[] {
    const groups: ScopeGroup<Spec>[] = [];
    for (const stack of stacks) {
      const scopes = this.#byStack.get(stack);
      if (scopes === undefined) continue;
      const hierarchy = hierarchies.of(stack);
      const share = hierarchy.shareOf(policy);
      if (share === undefined) continue;
      groups.push({ share, targets: targetsOf(policy, hierarchy), ancestors: ancestorsOf(scopes) });
    }
    return groups;
  }

  /** Returns the known scopes for a list. Sections of one object follow each other, and usually have the same list. */
  #allKnown(scopes: readonly Scope<Spec>[]): readonly KnownScope<Spec>[] {
    if (this.#last?.scopes === scopes) return this.#last.known;
    const all = scopes.map((scope) => this.#known(scope));
    const known = all.length > 1 ? [...new Set(all)] : all; // Contexts that differ in barred policies may have the same scope.
    this.#last = { scopes, known };
    return known;
  }

  #known({ merged, ancestors }: Scope<Spec>): KnownScope<Spec> {
    const around = this.#byStack.get(merged) ?? { merged, byAncestors: new Map(), ancestors: undefined };
    this.#byStack.set(merged, around);
    const key = this.#keyOf(ancestors);
    const known = around.byAncestors.get(key);
    if (known !== undefined) return known;
    const scope = { merged, ancestors, around, key, count: 0 };
    around.byAncestors.set(key, scope);
    return scope;
  }

  /** Returns a key that identifies a set of targets. A target that replaces another of the same name counts as a different one. */
  #keyOf(targets: TargetSet): string {
    const known = this.#keys.get(targets);
    if (known !== undefined) return known;
    const numbers = Array.from(targets, (target) => {
      const number = this.#numbers.get(target) ?? this.#next;
      if (number === this.#next) this.#numbers.set(target, this.#next++);
      return number;
    });
    const key = numbers.sort((a, b) => a - b).join(' ');
    this.#keys.set(targets, key);
    return key;
  }

  #add(scope: KnownScope<Spec>): void {
    scope.count += 1;
    if (scope.count > 1) return;
    scope.around.ancestors = undefined;
    this.#outcomes?.put(scope.merged);
  }

  #remove(scope: KnownScope<Spec>): void {
    const { around, merged, key } = scope;
    scope.count -= 1;
    if (scope.count > 0) return;
    this.#last = undefined; // It may contain the scope.
    around.ancestors = undefined;
    around.byAncestors.delete(key);
    if (around.byAncestors.size > 0) return;
    this.#byStack.delete(merged);
    this.#outcomes?.drop(merged);
  }
}

function without<Item>(some: readonly Item[], others: readonly Item[]): readonly Item[] {
  if (others.length === 0) return some;
  const known = new Set(others);
  return some.filter((item) => !known.has(item));
}

function ancestorsOf<Spec>(scopes: ScopesOfStack<Spec>): readonly TargetNode[] {
  if (scopes.ancestors !== undefined) return scopes.ancestors;
  const sets = Array.from(scopes.byAncestors.values(), ({ ancestors }) => ancestors);
  const [first] = sets;
  scopes.ancestors =
    first !== undefined && sets.length === 1 ? inOrder(first) : inOrder(new Set(sets.flatMap((set) => [...set])));
  return scopes.ancestors;
}

/** Returns the targets of a hierarchy to which a policy is attached. */
export function targetsOf<Spec>(policy: Policy<Spec>, { levels }: Hierarchy<Spec>): TargetSet {
  let targets: TargetSet | undefined;
  for (const { target, policies } of levels) {
    if (!policies.includes(policy)) continue;
    targets = targets === undefined ? onlyOne(target) : new Set([...targets, target]);
  }
  return targets ?? emptySet;
}
