import type { Issue } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { Loss } from './losses.ts';
import type { PolicyShare, ScopeOutcome } from './policy-share.ts';
import { levelsOf, type Stack } from './stack.ts';
import type { TargetSet } from './target-sets.ts';

/** Scopes of a policy in which the very same policies meet, and that have the same ancestors: the same becomes of it in all. */
export interface ScopeGroup<Spec> {
  /** How many scopes. */
  readonly count: number;
  /** The ancestors (S-11) of each of them, in the order of their locators. */
  readonly ancestors: readonly TargetNode[];
  /** The targets to which the policy is attached there. */
  readonly targets: ReadonlySet<TargetNode>;
  readonly outcome: ScopeOutcome;
  /** What the policy lost there, to whom and by which rule. */
  readonly losses: readonly Loss<Spec>[];
  /** What of the policy could not be done there as it says. */
  readonly issues: readonly Issue[];
}

/** A context, as its policies see it. */
export interface Scope<Spec> {
  /** What is merged there. */
  readonly merged: Stack<Spec>;
  readonly ancestors: TargetSet;
}

/** Scopes that are alike. */
interface Group<Spec> extends Scope<Spec> {
  count: number;
}

/** The scopes of all policies, put together where they are alike. */
export class Scopes<Spec> {
  readonly #ofTarget = new Map<TargetNode, readonly Scope<Spec>[]>();
  readonly #byPolicy = new Map<string, Map<Stack<Spec>, Map<string, Group<Spec>>>>();

  /** The scopes on a target, as they were taken down last. */
  of(target: TargetNode): readonly Scope<Spec>[] {
    return this.#ofTarget.get(target) ?? [];
  }

  /** Whether a policy has scopes. */
  has(policy: string): boolean {
    return this.#byPolicy.has(policy);
  }

  /** Takes down the scopes on a target, instead of those before. */
  set(target: TargetNode, scopes: readonly Scope<Spec>[]): void {
    for (const scope of this.of(target)) this.#count(scope, -1);
    for (const scope of scopes) this.#count(scope, 1);
    if (scopes.length > 0) this.#ofTarget.set(target, scopes);
    else this.#ofTarget.delete(target);
  }

  /** The scopes of a policy, by locator. O(groups). */
  groupsOf(
    policy: string,
    sharesOf: (merged: Stack<Spec>) => readonly PolicyShare<Spec>[],
  ): readonly ScopeGroup<Spec>[] {
    const groups: ScopeGroup<Spec>[] = [];
    for (const [merged, byAncestors] of this.#byPolicy.get(policy) ?? []) {
      const share = sharesOf(merged).find((it) => it.policy.locator === policy);
      if (share === undefined) continue;
      const { outcome, losses, issues } = share;
      const levels = levelsOf(merged).filter(({ policies }) => policies.some(({ locator }) => locator === policy));
      const targets = new Set(levels.map(({ target }) => target));
      for (const { count, ancestors } of byAncestors.values()) {
        groups.push({ count, ancestors: [...ancestors].sort(byLocator), targets, outcome, losses, issues });
      }
    }
    return groups;
  }

  #count(scope: Scope<Spec>, difference: 1 | -1): void {
    const key = ancestorsKey(scope);
    for (const locator of policiesIn(scope.merged)) {
      const byStack = this.#byPolicy.get(locator) ?? new Map<Stack<Spec>, Map<string, Group<Spec>>>();
      this.#byPolicy.set(locator, byStack);
      const groups = byStack.get(scope.merged) ?? new Map<string, Group<Spec>>();
      byStack.set(scope.merged, groups);
      const group = groups.get(key) ?? { ...scope, count: 0 };
      groups.set(key, group);
      group.count += difference;
      if (group.count === 0 && groups.delete(key) && groups.size === 0) byStack.delete(scope.merged);
      if (byStack.size === 0) this.#byPolicy.delete(locator);
    }
  }
}

/** The locators of the policies of a stack, each once. */
export function policiesIn(stack: Stack<unknown>): ReadonlySet<string> {
  const locators = new Set<string>();
  for (let at: Stack<unknown> | undefined = stack; at !== undefined; at = at.above) {
    for (const { locator } of at.level?.policies ?? []) locators.add(locator);
  }
  return locators;
}

/** Tells sets of ancestors apart. */
export function ancestorsKey({ ancestors }: { readonly ancestors: TargetSet }): string {
  if (ancestors.size === 1) for (const { locator } of ancestors) return locator;
  return Array.from(ancestors, ({ locator }) => locator)
    .sort()
    .join(' ');
}

function byLocator(a: TargetNode, b: TargetNode): number {
  return a.locator < b.locator ? -1 : 1;
}
