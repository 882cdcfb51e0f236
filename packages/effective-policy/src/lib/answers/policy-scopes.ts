import type { PolicyKind } from '@policy-machinery/policy-kind';
import { canBeEntered, type TargetNode, type Topology } from '@policy-machinery/topology';
import type { ContextAt, Contexts } from '../contexts/contexts.ts';
import type { PositionStacks } from '../contexts/position-stacks.ts';
import { isThrough, type Stack } from '../contexts/stack.ts';
import type { ScopeOutcome } from '../reasons/policy-share.ts';
import type { TargetSet } from '../support/target-sets.ts';
import { GrowingScopes } from './growing-scopes.ts';
import type { Hierarchies } from './hierarchy.ts';
import type { Scope, ScopeGroup, Scopes } from './scopes.ts';

/** What scopes follow from. */
export interface ScopeSource<Spec> {
  readonly topology: Topology;
  readonly kind: PolicyKind<Spec>;
  readonly contexts: Contexts<Spec>;
  readonly hierarchies: Hierarchies<Spec>;
  /** Whether contexts with the same stack are the same. */
  readonly areByStack: boolean;
  /** The stacks of a target in which there are policies. */
  reachedBy(target: TargetNode): readonly Stack<Spec>[];
  /** What is merged in a context. */
  merged(context: ContextAt<Spec>): Stack<Spec>;
}

/** The scopes on sections of one object to which paths come with the same stacks. */
interface SectionScopes<Spec> {
  readonly position: PositionStacks<Spec>;
  readonly stacks: readonly Stack<Spec>[];
  readonly scopes: readonly Scope<Spec>[];
}

/** The scopes of all policies: found when first asked for, at once or a few targets at a time. */
export class PolicyScopes<Spec> {
  readonly #source: ScopeSource<Spec>;
  #known: Scopes<Spec> | undefined;
  #growing: GrowingScopes<Spec> | undefined;
  /** The scopes on a section that were found last, and what they follow from. */
  #last: SectionScopes<Spec> | undefined;

  constructor(source: ScopeSource<Spec>) {
    this.#source = source;
  }

  /** The scopes of all policies; `undefined` before they have all been found. */
  get known(): Scopes<Spec> | undefined {
    return this.#known;
  }

  /** The scopes that have been found while others are still to come. */
  get growing(): GrowingScopes<Spec> | undefined {
    return this.#growing;
  }

  /** The scopes of a policy, put together where they are alike. Goes through all contexts when first asked for. */
  groupsOf(policy: string): readonly ScopeGroup<Spec>[] {
    return this.#all().groupsOf(policy, this.#source.hierarchies);
  }

  /** What becomes of a policy in its scopes, each outcome once. Merges all contexts when first asked for. */
  outcomesOf(policy: string): ReadonlySet<ScopeOutcome> {
    return this.#all().outcomesOf(policy, this.#source.hierarchies);
  }

  /** Whether a policy sets a field in a context with a level at a target; `undefined` before scopes are known. O(groups). */
  setsBelow(policy: string, target: TargetNode): boolean | undefined {
    return this.#known?.some(policy, (merged) => {
      return isThrough(merged, target) && this.#source.hierarchies.of(merged).setters.has(policy);
    });
  }

  /**
   * Finds the scopes on some more targets, and what becomes of the policies there.
   *
   * @param count How many targets at most.
   * @returns Whether there are targets left.
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

  /** Finds the scopes on some more targets. Returns all scopes when no target is left. */
  #grow(count: number, scopesOn: (target: TargetNode) => readonly Scope<Spec>[]): Scopes<Spec> | undefined {
    const { topology, kind } = this.#source;
    const growing = this.#growing ?? new GrowingScopes(topology.targetsOf(kind.effectiveTargets));
    growing.grow(count, scopesOn);
    this.#growing = growing.isComplete ? undefined : growing;
    return growing.isComplete ? growing.scopes : undefined;
  }

  /** The scopes on a target: the very same list as of the section before, where both are alike. */
  on(target: TargetNode): readonly Scope<Spec>[] {
    const { contexts, areByStack } = this.#source;
    if (target.section === undefined || canBeEntered(target) || !areByStack) return this.#on(target);
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
