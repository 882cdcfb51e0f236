import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { canBeEntered, type TargetNode, type Topology } from '@policy-machinery/topology';
import type { ContextAt, Contexts } from '../contexts/contexts.ts';
import type { PositionStacks } from '../contexts/position-stacks.ts';
import type { Stack } from '../contexts/stack.ts';
import type { ScopeOutcome } from '../reasons/policy-share.ts';
import type { TargetSet } from '../support/target-sets.ts';
import { GrowingScopes } from './growing-scopes.ts';
import type { Hierarchies } from './hierarchy.ts';
import { type Scope, type ScopeGroup, Scopes } from './scopes.ts';

/** The source of scopes. */
export interface ScopeSource<Spec> {
  readonly topology: Topology;
  readonly kind: PolicyKind<Spec>;
  readonly contexts: Contexts<Spec>;
  readonly hierarchies: Hierarchies<Spec>;
  /** Whether all contexts with the same stack have the same result. */
  readonly areByStack: boolean;
  /** Returns the stacks of a target with policies. */
  reachedBy(target: TargetNode): readonly Stack<Spec>[];
  /** Returns the levels that are merged in a context. */
  merged(context: ContextAt<Spec>): Stack<Spec>;
  /** Finds the stacks with a policy, by locator, one by one, whether or not there are such contexts. */
  stacksWith(policy: string): Iterable<Stack<Spec>>;
}

/** The scopes on sections of one object that have the same stacks. */
interface SectionScopes<Spec> {
  readonly position: PositionStacks<Spec>;
  readonly stacks: readonly Stack<Spec>[];
  readonly scopes: readonly Scope<Spec>[];
}

/** The scopes of all policies. They are found on the first question, at once or a few targets at a time. */
export class PolicyScopes<Spec> {
  readonly #source: ScopeSource<Spec>;
  #known: Scopes<Spec> | undefined;
  #growing: GrowingScopes<Spec> | undefined;
  /** The scopes on the section that was searched last, and the stacks that they follow from. */
  #last: SectionScopes<Spec> | undefined;

  constructor(source: ScopeSource<Spec>) {
    this.#source = source;
  }

  /** The scopes of all policies; `undefined` before they have all been found. */
  get known(): Scopes<Spec> | undefined {
    return this.#known;
  }

  /** The scopes that have been found, while the search goes on. */
  get growing(): GrowingScopes<Spec> | undefined {
    return this.#growing;
  }

  /** Returns the scopes of a policy, grouped where they are alike. The first question searches all contexts. */
  groupsOf(policy: Policy<Spec>): readonly ScopeGroup<Spec>[] {
    const { hierarchies } = this.#source;
    return this.#all().groupsOf(policy, this.#source.stacksWith(policy.locator), hierarchies);
  }

  /** Returns the same, found by a search of some targets only: those with contexts that the policy is in. */
  groupsAt(policy: Policy<Spec>, targets: Iterable<TargetNode>): readonly ScopeGroup<Spec>[] {
    if (this.#known !== undefined) return this.groupsOf(policy);
    const scopes = new Scopes<Spec>();
    for (const target of targets) scopes.set(target, this.on(target));
    return scopes.groupsOf(policy, this.#source.stacksWith(policy.locator), this.#source.hierarchies);
  }

  /** Returns the outcomes of a policy in its scopes, each once. The first question merges all contexts. */
  outcomesOf(policy: string): ReadonlySet<ScopeOutcome> {
    return this.#all().outcomesOf(policy, this.#source.hierarchies);
  }

  /** Returns whether a policy is known to have scopes. O(stacks with the policy until the first one with a scope). */
  has(policy: string): boolean {
    const known = this.#known;
    if (known === undefined) return false;
    for (const stack of this.#source.stacksWith(policy)) if (known.hasStack(stack)) return true;
    return false;
  }

  /**
   * Returns which policies set a field in a scope with a stack, or with more slots. O(such scopes), fewer if all policies do.
   *
   * @param policies Locators of the policies, which are in the stack.
   */
  settersFrom(stack: Stack<Spec>, policies: ReadonlySet<string>): ReadonlySet<string> {
    const { contexts, hierarchies } = this.#source;
    const scopes = this.#all();
    const setters = new Set<string>();
    contexts.graph.stacks.someFrom(stack, (merged) => {
      if (!scopes.hasStack(merged)) return false;
      for (const { policy, contributes } of hierarchies.of(merged).shares) {
        if (contributes && policies.has(policy.locator)) setters.add(policy.locator);
      }
      return setters.size === policies.size;
    });
    return setters;
  }

  /**
   * Finds the scopes on more targets, and the shares of the policies in them.
   *
   * @param count The maximum number of targets.
   * @returns Whether targets are left.
   */
  computeSome(count: number): boolean {
    this.#known ??= this.#grow(count, (target) => {
      const scopes = this.on(target);
      for (const { merged } of scopes) void this.#source.hierarchies.of(merged).shares; // They are kept.
      return scopes;
    });
    return this.#known === undefined;
  }

  #all(): Scopes<Spec> {
    this.#known ??= this.#grow(Number.POSITIVE_INFINITY, (target) => this.on(target));
    return this.#known as Scopes<Spec>;
  }

  /** Finds the scopes on more targets. Returns all scopes once no target is left. */
  #grow(count: number, scopesOn: (target: TargetNode) => readonly Scope<Spec>[]): Scopes<Spec> | undefined {
    const { topology, kind } = this.#source;
    const growing = this.#growing ?? new GrowingScopes(topology.targetsOf(kind.effectiveTargets));
    growing.grow(count, scopesOn);
    this.#growing = growing.isComplete ? undefined : growing;
    return growing.isComplete ? growing.scopes : undefined;
  }

  /** Returns the scopes on a target: the list of the section before, where both have the same stacks. */
  on(target: TargetNode): readonly Scope<Spec>[] {
    const { contexts, areByStack } = this.#source;
    const isAlone = target.section === undefined || canBeEntered(target) || contexts.isNamedByItself(target);
    if (isAlone || !areByStack) return this.#on(target);
    const position = contexts.graph.at({ node: target.object, entered: true });
    const stacks = contexts.of(target);
    const last = this.#last;
    if (last !== undefined && position === last.position && stacks === last.stacks) return last.scopes;
    const scopes = this.#on(target);
    this.#last = { position, stacks, scopes };
    return scopes;
  }

  #on(target: TargetNode): readonly Scope<Spec>[] {
    const stacks = this.#source.reachedBy(target);
    const ancestors = this.#source.contexts.ancestorsOf(target, stacks);
    return stacks.map((stack, index) => ({
      merged: this.#source.merged({ target, stack }),
      ancestors: ancestors[index] as TargetSet,
    }));
  }
}
