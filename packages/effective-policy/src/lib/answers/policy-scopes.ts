import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import type { ArrivalsId } from '../contexts/arrivals.ts';
import type { Contexts } from '../contexts/contexts.ts';
import type { CopiedArrivals } from '../contexts/copied-arrivals.ts';
import type { StackId } from '../contexts/stacks.ts';
import type { ScopeOutcome } from '../reasons/policy-share.ts';
import type { Hierarchies } from './hierarchy.ts';
import { type DifferentScopes, type ScopeGroup, Scopes } from './scopes.ts';

export interface ScopeSource<Spec> {
  readonly topology: Topology;
  readonly kind: PolicyKind<Spec>;
  readonly contexts: Contexts<Spec>;
  readonly hierarchies: Hierarchies<Spec>;
  /** Returns the scopes on a target: arrivals with the stacks that are merged. */
  scopesOn(target: TargetNode): ArrivalsId;
  /** Returns the stacks with a policy, by locator, whether or not there are such contexts. */
  stacksWith(policy: string): Iterable<StackId>;
}

/** The scopes of all policies. They are found on the first question, at once or a few targets at a time. */
export class PolicyScopes<Spec> {
  readonly #source: ScopeSource<Spec>;
  #scopes: Scopes<Spec>;
  /** The targets without scopes so far, the next one last; `undefined` before the first question. */
  #left: TargetNode[] | undefined;

  constructor(source: ScopeSource<Spec>) {
    this.#source = source;
    this.#scopes = new Scopes(source.contexts.positions.arrivals);
  }

  /** The scopes of all policies; `undefined` before they have all been found. */
  get known(): Scopes<Spec> | undefined {
    return this.#left?.length === 0 ? this.#scopes : undefined;
  }

  /** Returns the scopes of a policy, grouped where they are alike. The first question searches all contexts. */
  groupsOf(policy: Policy<Spec>): readonly ScopeGroup<Spec>[] {
    return this.#groupsIn(this.#all, policy);
  }

  /** Returns the same, found by a search of some targets only: those with contexts that the policy is in. */
  groupsAt(policy: Policy<Spec>, targets: Iterable<TargetNode>): readonly ScopeGroup<Spec>[] {
    if (this.known !== undefined) return this.groupsOf(policy);
    const scopes = new Scopes(this.#source.contexts.positions.arrivals);
    for (const target of targets) scopes.set(target, this.#source.scopesOn(target));
    return this.#groupsIn(scopes, policy);
  }

  #groupsIn(scopes: Scopes<Spec>, policy: Policy<Spec>): readonly ScopeGroup<Spec>[] {
    return scopes.groupsOf(policy, this.#source.stacksWith(policy.locator), this.#source.hierarchies);
  }

  /** Returns the outcomes of a policy in its scopes, each once. The first question merges all contexts. */
  outcomesOf(policy: string): ReadonlySet<ScopeOutcome> {
    return this.#all.outcomesOf(policy, this.#source.hierarchies);
  }

  /** Returns whether a policy is known to have scopes. O(stacks with the policy until the first one with a scope). */
  has(policy: string): boolean {
    const scopes = this.known;
    if (scopes === undefined) return false;
    for (const stack of this.#source.stacksWith(policy)) if (scopes.hasStack(stack)) return true;
    return false;
  }

  /**
   * Returns which policies set a field in a scope with a stack, or with more slots. O(such scopes), fewer if all policies do.
   *
   * @param policies Locators of the policies, which are in the stack.
   */
  settersFrom(stack: StackId, policies: ReadonlySet<string>): ReadonlySet<string> {
    const { contexts, hierarchies } = this.#source;
    const scopes = this.#all;
    const setters = new Set<string>();
    contexts.positions.arrivals.stacks.someFrom(stack, (merged) => {
      if (!scopes.hasStack(merged)) return false;
      for (const { policy, contributes } of hierarchies.of(merged).shares) {
        if (contributes && policies.has(policy.locator)) setters.add(policy.locator);
      }
      return setters.size === policies.size;
    });
    return setters;
  }

  /** Finds the scopes on a target again, after a change. Returns the difference if all scopes are known. */
  renew(target: TargetNode): DifferentScopes | undefined {
    if (this.#left === undefined) return undefined;
    const { topology, contexts } = this.#source;
    const isThere = topology.get(target) === target;
    const scopes = isThere ? this.#source.scopesOn(target) : contexts.positions.arrivals.none;
    const different = this.#scopes.set(target, scopes);
    return this.known && different;
  }

  /**
   * Finds the scopes on more targets, and the shares of the policies in them.
   *
   * @param count The maximum number of targets.
   * @returns Whether targets are left.
   */
  computeSome(count: number): boolean {
    const { arrivals } = this.#source.contexts.positions;
    for (const target of this.#find(count)) {
      for (const merged of arrivals.stacksOf(this.#source.scopesOn(target)))
        void this.#source.hierarchies.of(merged).shares; // They are kept.
    }
    return this.known === undefined;
  }

  /** Moves the scopes that have been found to the tables of compact contexts. */
  moveTo({ positions }: Contexts<Spec>, copied: CopiedArrivals<Spec>): void {
    const scopes = new Scopes(positions.arrivals);
    for (const [target, list] of this.#scopes) scopes.set(target, copied.list(list));
    this.#scopes = scopes;
  }

  get #all(): Scopes<Spec> {
    this.#find(Number.POSITIVE_INFINITY);
    return this.#scopes;
  }

  #find(count: number): readonly TargetNode[] {
    const { topology, kind } = this.#source;
    this.#left ??= [...topology.targetsOf(kind.effectiveTargets)].reverse();
    const next = this.#left.splice(Math.max(0, this.#left.length - count)).reverse();
    const existing = next.filter((target) => topology.get(target) === target);
    for (const target of existing) this.#scopes.set(target, this.#source.scopesOn(target));
    return existing;
  }
}
