import type { Issue } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { Loss } from './losses.ts';
import type { PolicyShare, ScopeOutcome } from './policy-share.ts';
import { isSameSet } from './same.ts';
import { levelsOf, policiesOf, type Stack } from './stack.ts';
import type { TargetSet } from './target-sets.ts';

/** Scopes of a policy in which the very same policies meet, and that have the same ancestors: the same becomes of it in all. */
export interface ScopeGroup<Spec> {
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
  /** How many. */
  count: number;
  /** What became of the policy there, once somebody has asked. */
  became: ScopeGroup<Spec> | undefined;
}

/** The scopes of all policies, put together where they are alike. */
export class Scopes<Spec> {
  readonly #ofTarget = new Map<TargetNode, readonly Scope<Spec>[]>();
  readonly #byPolicy = new Map<string, Map<Stack<Spec>, Map<string, Group<Spec>>>>();
  readonly #numbers = new WeakMap<TargetNode, number>();
  #next = 0;

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
    const [gone, come] = differing(this.of(target), scopes);
    for (const scope of gone) this.#count(scope, -1);
    for (const scope of come) this.#count(scope, 1);
    if (scopes.length > 0) this.#ofTarget.set(target, scopes);
    else this.#ofTarget.delete(target);
  }

  /** The scopes of a policy, by locator. O(groups). */
  groupsOf(
    policy: string,
    sharesOf: (merged: Stack<Spec>) => readonly PolicyShare<Spec>[],
  ): readonly ScopeGroup<Spec>[] {
    const groups: ScopeGroup<Spec>[] = [];
    for (const byAncestors of this.#byPolicy.get(policy)?.values() ?? []) {
      for (const group of byAncestors.values()) {
        group.became ??= scopeGroup(policy, group, sharesOf(group.merged));
        if (group.became !== undefined) groups.push(group.became);
      }
    }
    return groups;
  }

  /** Tells sets of targets apart, and those that are gone from those that came under their names. */
  #keyOf(targets: TargetSet): string {
    const numbers = Array.from(targets, (target) => {
      const number = this.#numbers.get(target) ?? this.#next;
      if (number === this.#next) this.#numbers.set(target, this.#next++);
      return number;
    });
    return numbers.sort((a, b) => a - b).join(' ');
  }

  #count(scope: Scope<Spec>, difference: 1 | -1): void {
    const key = this.#keyOf(scope.ancestors);
    for (const { locator } of policiesOf(scope.merged)) {
      const byStack = this.#byPolicy.get(locator) ?? new Map<Stack<Spec>, Map<string, Group<Spec>>>();
      this.#byPolicy.set(locator, byStack);
      const groups = byStack.get(scope.merged) ?? new Map<string, Group<Spec>>();
      byStack.set(scope.merged, groups);
      const group = groups.get(key) ?? { ...scope, count: 0, became: undefined };
      groups.set(key, group);
      group.count += difference;
      if (group.count === 0 && groups.delete(key) && groups.size === 0) byStack.delete(scope.merged);
      if (byStack.size === 0) this.#byPolicy.delete(locator);
    }
  }
}

function scopeGroup<Spec>(
  policy: string,
  { merged, ancestors }: Scope<Spec>,
  shares: readonly PolicyShare<Spec>[],
): ScopeGroup<Spec> | undefined {
  const share = shares.find((it) => it.policy.locator === policy);
  if (share === undefined) return undefined;
  const { outcome, losses, issues } = share;
  const levels = levelsOf(merged).filter(({ policies }) => policies.some(({ locator }) => locator === policy));
  const targets = new Set(levels.map(({ target }) => target));
  return { ancestors: [...ancestors].sort(byLocator), targets, outcome, losses, issues };
}

/** The locators of the policies of a stack, each once. */
export function policiesIn(stack: Stack<unknown>): ReadonlySet<string> {
  return new Set(Array.from(policiesOf(stack), ({ locator }) => locator));
}

/** Those scopes that are only before, and those that are only now. */
export function differing<Spec>(
  before: readonly Scope<Spec>[],
  now: readonly Scope<Spec>[],
): readonly [gone: readonly Scope<Spec>[], come: readonly Scope<Spec>[]] {
  const left = new Map(before.map((scope) => [scope.merged, scope]));
  const come = now.filter((scope) => {
    const known = left.get(scope.merged);
    if (known === undefined || !isSameSet(known.ancestors, scope.ancestors)) return true;
    left.delete(scope.merged);
    return false;
  });
  return [[...left.values()], come];
}

/** Tells sets of ancestors apart. */
export function ancestorsKey(ancestors: TargetSet): string {
  if (ancestors.size === 1) for (const { locator } of ancestors) return locator;
  return Array.from(ancestors, ({ locator }) => locator)
    .sort()
    .join(' ');
}

function byLocator(a: TargetNode, b: TargetNode): number {
  return a.locator < b.locator ? -1 : 1;
}
