import type { Issue } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { policiesOf, type Stack } from '../contexts/stack.ts';
import type { Loss } from '../reasons/losses.ts';
import type { PolicyShare, ScopeOutcome } from '../reasons/policy-share.ts';
import { type Rival, rivalsIn } from '../reasons/rivals.ts';
import { inOrder, onlyOne, type TargetSet } from '../support/target-sets.ts';
import type { Hierarchies, Hierarchy } from './hierarchy.ts';

/** Scopes of a policy in which the very same policies meet, and that have the same ancestors: the same becomes of it in all. */
export interface ScopeGroup<Spec> {
  /** The ancestors (S-11) of each of them, in the order of their locators. */
  readonly ancestors: readonly TargetNode[];
  /** The targets to which the policy is attached there. */
  readonly targets: ReadonlySet<TargetNode>;
  readonly outcome: ScopeOutcome;
  /** Whether the policy is in force there together with others. */
  readonly isMerged: boolean;
  /** What the policy lost there, to whom and by which rule. */
  readonly losses: readonly Loss<Spec>[];
  /** What of the policy could not be done there as it says. */
  readonly issues: readonly Issue[];
  /** Who or what has what the policy lost there. */
  readonly rivals: readonly Rival<Spec>[];
}

class KnownGroup<Spec> implements ScopeGroup<Spec> {
  readonly ancestors: readonly TargetNode[];
  readonly targets: ReadonlySet<TargetNode>;
  readonly outcome: ScopeOutcome;
  readonly isMerged: boolean;
  readonly losses: readonly Loss<Spec>[];
  readonly issues: readonly Issue[];
  /** What its scopes were when it was made. */
  readonly hierarchy: Hierarchy<Spec> | undefined;
  #rivals: readonly Rival<Spec>[] | undefined = undefined;

  constructor(
    { outcome, isMerged, losses, issues }: Pick<PolicyShare<Spec>, 'outcome' | 'isMerged' | 'losses' | 'issues'>,
    { ancestors, targets, hierarchy }: Pick<KnownGroup<Spec>, 'ancestors' | 'targets' | 'hierarchy'>,
  ) {
    this.ancestors = ancestors;
    this.targets = targets;
    this.hierarchy = hierarchy;
    this.outcome = outcome;
    this.isMerged = isMerged;
    this.losses = losses;
    this.issues = issues;
  }

  /** They are remembered: most scopes are the same in one plan of statuses and the next. */
  get rivals(): readonly Rival<Spec>[] {
    this.#rivals ??= rivalsIn(this.losses);
    return this.#rivals;
  }
}

/** What becomes of a policy among those on one target, whatever is above and below it. */
export function groupOnTarget<Spec>(share: PolicyShare<Spec>, target: TargetNode): ScopeGroup<Spec> {
  return new KnownGroup(share, { ancestors: none, targets: onlyOne(target), hierarchy: undefined });
}

/** Contexts that are alike to their policies. There is one for all of them. */
export interface Scope<Spec> {
  /** What is merged there. */
  readonly merged: Stack<Spec>;
  readonly ancestors: TargetSet;
}

interface KnownScope<Spec> extends Scope<Spec> {
  /** How many contexts there are. */
  count: number;
  /** What became of its policies, by their locators, when somebody asked last. */
  groups: ReadonlyMap<string, KnownGroup<Spec>> | undefined;
}

/** How the scopes on a target have changed. */
export interface DifferentScopes<Spec> {
  readonly gone: readonly Scope<Spec>[];
  readonly come: readonly Scope<Spec>[];
}

/** The scopes of all policies, put together where they are alike. */
export class Scopes<Spec> {
  readonly #ofTarget = new Map<TargetNode, readonly KnownScope<Spec>[]>();
  readonly #byStack = new Map<Stack<Spec>, Map<string, KnownScope<Spec>>>();
  /** With what became of the policy there when somebody asked last: kept here too, for plans read it of hundreds of scopes. */
  readonly #byPolicy = new Map<string, Map<KnownScope<Spec>, KnownGroup<Spec> | undefined>>();
  readonly #keys = new WeakMap<TargetSet, string>();
  readonly #numbers = new WeakMap<TargetNode, number>();
  #next = 0;

  /** Whether a policy has scopes. */
  has(policy: string): boolean {
    return this.#byPolicy.has(policy);
  }

  /** Whether something holds for a scope of a policy. */
  some(policy: string, holds: (scope: Scope<Spec>) => boolean): boolean {
    for (const scope of this.#byPolicy.get(policy)?.keys() ?? none) if (holds(scope)) return true;
    return false;
  }

  /**
   * Takes down the scopes on a target, instead of those before.
   *
   * @returns Those scopes that were there only before, and those that are there only now.
   */
  set(target: TargetNode, scopes: readonly Scope<Spec>[]): DifferentScopes<Spec> {
    const before = this.#ofTarget.get(target) ?? none;
    const now = [...new Set(scopes.map((scope) => this.#known(scope)))]; // Contexts that differ in what is barred may be alike.
    if (now.length > 0) this.#ofTarget.set(target, now);
    else this.#ofTarget.delete(target);
    const [gone, come] = [without(before, now), without(now, before)];
    for (const scope of come) this.#add(scope);
    for (const scope of gone) this.#remove(scope);
    return { gone, come };
  }

  /** Whether there are scopes in which a stack is merged. */
  hasStack(merged: Stack<Spec>): boolean {
    return this.#byStack.has(merged);
  }

  /** The scopes of a policy, by locator. O(groups). */
  groupsOf(policy: string, hierarchies: Hierarchies<Spec>): readonly ScopeGroup<Spec>[] {
    const scopes = this.#byPolicy.get(policy);
    if (scopes === undefined) return none;
    const groups: KnownGroup<Spec>[] = [];
    for (const [scope, known] of scopes) {
      const hierarchy = hierarchies.of(scope.merged);
      const group = known?.hierarchy === hierarchy ? known : groupIn(scope, policy, hierarchy);
      if (group === undefined) continue;
      if (group !== known) scopes.set(scope, group);
      groups.push(group);
    }
    return groups;
  }

  #known({ merged, ancestors }: Scope<Spec>): KnownScope<Spec> {
    const alike = this.#byStack.get(merged) ?? new Map<string, KnownScope<Spec>>();
    this.#byStack.set(merged, alike);
    const key = this.#keyOf(ancestors);
    const scope = alike.get(key) ?? { merged, ancestors, count: 0, groups: undefined };
    alike.set(key, scope);
    return scope;
  }

  /** Tells sets of targets apart, and those that are gone from those that came under their names. */
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
    for (const locator of policiesOf(scope.merged)) {
      const scopes = this.#byPolicy.get(locator);
      if (scopes === undefined) this.#byPolicy.set(locator, new Map([[scope, undefined]]));
      else scopes.set(scope, undefined);
    }
  }

  #remove(scope: KnownScope<Spec>): void {
    scope.count -= 1;
    if (scope.count > 0) return;
    const { merged, ancestors } = scope;
    const alike = this.#byStack.get(merged);
    if (alike?.delete(this.#keyOf(ancestors)) && alike.size === 0) this.#byStack.delete(merged);
    for (const locator of policiesOf(merged)) {
      const scopes = this.#byPolicy.get(locator);
      if (scopes?.delete(scope) && scopes.size === 0) this.#byPolicy.delete(locator);
    }
  }
}

const none: readonly never[] = [];

function without<Item>(some: readonly Item[], others: readonly Item[]): readonly Item[] {
  if (others.length === 0) return some;
  const known = new Set(others);
  return some.filter((item) => !known.has(item));
}

/** What became of a policy in a scope; and of the others there, since somebody will ask. */
function groupIn<Spec>(
  scope: KnownScope<Spec>,
  policy: string,
  hierarchy: Hierarchy<Spec>,
): KnownGroup<Spec> | undefined {
  const known = scope.groups?.get(policy);
  if (known?.hierarchy === hierarchy) return known;
  scope.groups = groupsIn(scope, hierarchy);
  return scope.groups.get(policy);
}

/** What became of the policies of a scope, by their locators. */
function groupsIn<Spec>(
  { ancestors: inAnyOrder }: KnownScope<Spec>,
  hierarchy: Hierarchy<Spec>,
): ReadonlyMap<string, KnownGroup<Spec>> {
  const ancestors = inOrder(inAnyOrder);
  const targets = new Map<string, TargetSet>();
  for (const { target, policies } of hierarchy.levels) {
    for (const { locator } of policies) {
      const others = targets.get(locator);
      targets.set(locator, others === undefined ? onlyOne(target) : new Set([...others, target]));
    }
  }
  return new Map(
    hierarchy.shares.map((share) => {
      const { locator } = share.policy;
      return [locator, new KnownGroup(share, { ancestors, targets: targets.get(locator) ?? new Set(), hierarchy })];
    }),
  );
}
