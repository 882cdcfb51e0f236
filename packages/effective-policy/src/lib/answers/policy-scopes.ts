import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { canBeEntered, type TargetNode, type Topology } from '@policy-machinery/topology';
import type { ContextAt, Contexts } from '../contexts/contexts.ts';
import type { PositionStacks } from '../contexts/position-stacks.ts';
import { isThrough, type Stack } from '../contexts/stack.ts';
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
    return this.#all().groupsOf(policy, this.#source.hierarchies);
  }

  /** Returns the same, found by a search of some targets only: those with contexts that the policy is in. */
  groupsAt(policy: Policy<Spec>, targets: Iterable<TargetNode>): readonly ScopeGroup<Spec>[] {
    if (this.#known !== undefined) return this.groupsOf(policy);
    const scopes = new Scopes<Spec>();
    for (const target of targets) scopes.set(target, this.on(target));
    return scopes.groupsOf(policy, this.#source.hierarchies);
  }

  /** Returns the outcomes of a policy in its scopes, each once. The first question merges all contexts. */
  outcomesOf(policy: string): ReadonlySet<ScopeOutcome> {
    return this.#all().outcomesOf(policy, this.#source.hierarchies);
  }

  /** Returns whether a policy sets a field in a context with a level at a target; `undefined` before scopes are known. O(groups). */
  setsBelow(policy: string, target: TargetNode): boolean | undefined {
    return this.#known?.some(policy, (merged) => {
      return isThrough(merged, target) && this.#source.hierarchies.of(merged).setters.has(policy);
    });
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
