/*
 * answers/ takes contexts and what they come to, and gives what users ask for: effective policies, explanations, and the scopes and the reach of
 * policies. A hierarchy is the levels that meet in a context at one moment, with all that has been computed of them; a scope is the contexts
 * that are alike to a policy.
 */
import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type Targetable, type TargetNode, type Topology, targetableKey } from '@policy-machinery/topology';
import { type ContextAt, Contexts } from '../contexts/contexts.ts';
import { isOneOf, namespaceLevelsOf } from '../contexts/kinds.ts';
import { LeftOut } from '../contexts/left-out.ts';
import { hasSlots, type Stack } from '../contexts/stack.ts';
import { folds } from '../fold/fold.ts';
import { foldNone } from '../fold/fold-none.ts';
import type { PolicyLimits } from '../levels/counting-policies.ts';
import { levelOf } from '../levels/level.ts';
import { type LevelOptions, Levels, type ReadPolicies } from '../levels/levels.ts';
import { OwnValues } from '../levels/own-value.ts';
import type { PolicyShare } from '../reasons/policy-share.ts';
import { emptySet } from '../support/empty-set.ts';
import { Affected } from './affected.ts';
import { Context, EffectivePolicy } from './effective-policy.ts';
import { Hierarchies, type KnownHierarchies } from './hierarchy.ts';
import { PolicyScopes, type ScopeSource } from './policy-scopes.ts';
import { TargetTest } from './target-test.ts';

/** What effective policies are computed for. */
export interface ViewOptions extends LevelOptions {
  readonly maxContexts: number;
  readonly only: ((object: TargetNode) => boolean) | undefined;
}

/** Returns what may meet in one context: twice as much as on one target. */
export function limitsOfContexts({ maxPolicies, maxFields }: PolicyLimits): PolicyLimits {
  return { maxPolicies: 2 * maxPolicies, maxFields: 2 * maxFields };
}

/** Where something is known of the same resources, such as the effective policies of the same kind in another topology. */
export type Elsewhere<Spec> = ReadPolicies<Spec> & KnownHierarchies<Spec>;

const none: readonly never[] = [];

/** All that is known of the effective policies of a kind. */
export class ViewState<Spec> implements ScopeSource<Spec> {
  readonly kind: PolicyKind<Spec>;
  readonly topology: Topology;
  readonly levels: Levels<Spec>;
  readonly own: OwnValues<Spec>;
  readonly contexts: Contexts<Spec>;
  readonly hierarchies: Hierarchies<Spec>;
  readonly affected: Affected<Spec>;
  readonly scopes: PolicyScopes<Spec>;
  /** The targets that the controller manages (T-22). */
  readonly managed: TargetTest;
  /** The objects that paths may lead to, or through. */
  readonly included: TargetTest;
  readonly #sharesAt = new Map<TargetNode, readonly PolicyShare<Spec>[]>();
  #leftOut: LeftOut | undefined;

  /**
   * @param elsewhere Is asked for what is known of the very same resources, for as long as this lives.
   * @param earlier Policies that have been read. They are not kept.
   */
  constructor(
    topology: Topology,
    kind: PolicyKind<Spec>,
    options: ViewOptions,
    elsewhere: Elsewhere<Spec> | undefined,
    earlier?: ReadPolicies<Spec>,
  ) {
    this.topology = topology;
    this.kind = kind;
    this.levels = new Levels(topology, kind, options, earlier, elsewhere);
    this.own = new OwnValues(kind);
    this.managed = new TargetTest(kind.manages);
    this.included = new TargetTest(options.only);
    this.contexts = new Contexts(topology, {
      isWanted: isOneOfTargetables(kind.effectiveTargets),
      isIncluded: (object) => this.included.has(object),
      wanted: kind.effectiveTargets,
      slotsAt: (target) => this.levels.at(target),
      levelWith: (level, policies) => levelOf(level, policies, kind),
      hasNamespaceLevel: namespaceLevelsOf(kind),
      isAncestor: isOneOf(kind.ancestors),
      ancestorEntries: kind.ancestorEntries,
      maxContexts: options.maxContexts,
      stackLimits: limitsOfContexts(options),
    });
    const foldLayers = mergesNothing(kind) ? foldNone : folds[kind.fold];
    this.hierarchies = new Hierarchies(kind, foldLayers, elsewhere);
    this.scopes = new PolicyScopes(this);
    this.affected = new Affected(topology, this.contexts, this);
  }

  /** The levels that are merged for a target: those of its context, and what it says itself. */
  merged({ target, stack }: ContextAt<Spec>): Stack<Spec> {
    const { held, stacks } = this.contexts.graph;
    const { slot } = this.own.of(target);
    return slot === undefined ? held.of(stack) : stacks.push(held.of(stack), slot);
  }

  /** The contexts of a target. They are made as they are asked for: there are many, and most are looked at once. */
  contextsOf(target: TargetNode): readonly Context<Spec>[] {
    return this.contexts.of(target).map((stack) => this.contextAt({ target, stack }));
  }

  /** One of the contexts of a target. */
  contextAt({ target, stack }: ContextAt<Spec>): Context<Spec> {
    return this.#isReachedWith(stack) ? this.#effectiveAt(target, stack) : Context.at(this.contexts, target, stack);
  }

  /** The effective policies of a target. */
  effectiveOf(target: TargetNode): readonly EffectivePolicy<Spec>[] {
    return this.reachedBy(target).map((stack) => this.#effectiveAt(target, stack));
  }

  /** The stacks of a target in which there are policies: usually all. */
  reachedBy(target: TargetNode): readonly Stack<Spec>[] {
    const stacks = this.contexts.of(target);
    const isReached = (stack: Stack<Spec>): boolean => this.#isReachedWith(stack);
    return stacks.every(isReached) ? stacks : stacks.filter(isReached);
  }

  /** Whether there are policies on the way that hold something. */
  #isReachedWith(stack: Stack<Spec>): boolean {
    return hasSlots(this.contexts.graph.held.of(stack));
  }

  #effectiveAt(target: TargetNode, stack: Stack<Spec>): EffectivePolicy<Spec> {
    return EffectivePolicy.from(this.contexts, { target, stack }, this.hierarchies.of(this.merged({ target, stack })));
  }

  /** The locators of the policies that are attached to a target, name a section of it that is not there, or hold nothing below it. */
  policiesNaming(target: TargetNode): readonly string[] {
    const attached = this.topology.policiesAt(target, this.kind).map(({ locator }) => locator);
    const naming = [...attached, ...this.levels.namingNoSectionOf(target)];
    return this.levels.hasBars ? [...naming, ...this.#judgedAround(target)] : naming;
  }

  /** The policies that hold nothing below a target, or in some contexts of its namespace. */
  #judgedAround(target: TargetNode): readonly string[] {
    const { namespace } = target;
    const around = namespace === undefined ? none : this.topology.policiesAt(namespace, this.kind);
    const judged = around.filter(({ locator }) => (this.levels.policy(locator)?.verdicts.length ?? 0) > 0);
    return [...this.levels.barredBy(target), ...judged.map(({ locator }) => locator)];
  }

  /** What becomes of the policies attached to a target among themselves, whatever is above and below it. */
  sharesAt(target: TargetNode): readonly PolicyShare<Spec>[] {
    const known = this.#sharesAt.get(target);
    if (known !== undefined) return known;
    const { graph } = this.contexts;
    const there = graph.held.of(graph.after(graph.stacks.empty, this.levels.at(target)));
    const shares = hasSlots(there) ? this.hierarchies.of(there).shares : none;
    this.#sharesAt.set(target, shares);
    return shares;
  }

  /**
   * Forgets what has been said of the policies attached to a target among themselves.
   *
   * @returns That; `undefined` if it was not asked for.
   */
  forgetSharesAt(target: TargetNode): readonly PolicyShare<Spec>[] | undefined {
    const known = this.#sharesAt.get(target);
    this.#sharesAt.delete(target);
    return known;
  }

  /** The first targets with too many contexts at or below a target, or what a namespace holds. */
  leftOutBelow(target: TargetNode): readonly TargetNode[] {
    this.#leftOut ??= new LeftOut(this.contexts.leftOut);
    if (this.#leftOut.isEmpty) return none;
    const positions = [target, ...this.topology.membersOf(target)].flatMap((it) => this.contexts.arrivalsAt(it));
    return this.#leftOut.below(target, positions);
  }

  /** Forgets which targets are below others, since that may have changed. */
  forgetLeftOut(): void {
    this.#leftOut = undefined;
  }

  /**
   * Reads again what a target says itself.
   *
   * @returns Whether that may be something else than before.
   */
  renewOwn(target: TargetNode): boolean {
    const gone = this.topology.get(target) === target ? this.own.renew(target) : this.own.forget(target);
    if (gone?.slot !== undefined) this.contexts.graph.stacks.forget(gone.slot);
    return gone !== undefined;
  }

  /** Whether contexts with the same stack are the same, since no target says anything itself. */
  get areByStack(): boolean {
    return this.kind.ownValue === undefined;
  }

  /** Who sets a field in a context, by locators. */
  settersIn(context: ContextAt<Spec>): ReadonlySet<string> {
    if (!this.#isReachedWith(context.stack)) return emptySet;
    return this.hierarchies.of(this.merged(context)).setters;
  }

  /** Whether a policy sets a field in a context with a level at a target; `undefined` if that is not known without looking for contexts. */
  setsBelow(policy: string, target: TargetNode): boolean | undefined {
    return this.scopes.setsBelow(policy, target);
  }
}

function mergesNothing<Spec>({ stanzas }: PolicyKind<Spec>): boolean {
  const strategies = Object.values(stanzas.strategies);
  return strategies.length > 0 && strategies.every(({ granularity }) => granularity === 'None');
}

/** Returns a test for targets of some kinds. Kinds are compared by group and kind, not by identity. */
function isOneOfTargetables(kinds: readonly Targetable[]): (target: TargetNode) => boolean {
  const keys = new Set(kinds.map(targetableKey));
  const known = new Map<Targetable, boolean>();
  return ({ kind }) => {
    const told = known.get(kind);
    if (told !== undefined) return told;
    const answer = keys.has(targetableKey(kind));
    known.set(kind, answer);
    return answer;
  };
}
