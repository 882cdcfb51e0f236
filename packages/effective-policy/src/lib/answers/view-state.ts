/*
 * answers/ takes contexts and folded specs, and returns answers to users: effective policies, explanations, and the scopes and the reach of
 * policies. A hierarchy is the levels of a context at one moment, with their results; a scope is a set of contexts where a policy has
 * the same share.
 */
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { targetsBelow } from '@policy-machinery/topology/inner';
import type { ArrivalsId } from '../contexts/arrivals.ts';
import { type ContextAt, Contexts } from '../contexts/contexts.ts';
import { HeldStacks } from '../contexts/held-stacks.ts';
import { containerLevelsOf } from '../contexts/kinds.ts';
import { LeftOut } from '../contexts/left-out.ts';
import { Part } from '../contexts/part-of-level.ts';
import type { StackId, Stacks } from '../contexts/stacks.ts';
import { folds } from '../fold/fold.ts';
import { foldNone } from '../fold/fold-none.ts';
import type { PolicyLimits } from '../levels/counting-policies.ts';
import { type LevelSlot, levelOf } from '../levels/level.ts';
import { type ChangedLevels, type LevelOptions, Levels, type ReadPolicies } from '../levels/levels.ts';
import { OwnValues } from '../levels/own-value.ts';
import type { PolicyShare } from '../reasons/policy-share.ts';
import { emptySet, none } from '../support/nothing.ts';
import { isOneOf, isOneOfTargetables } from '../support/targetables.ts';
import { Affected, type Setters } from './affected.ts';
import { Context, EffectivePolicy } from './effective-policy.ts';
import { Hierarchies, type KnownHierarchies } from './hierarchy.ts';
import { PolicyScopes, type ScopeSource } from './policy-scopes.ts';
import { TargetTest } from './target-test.ts';

/** The options that effective policies are computed with. */
export interface ViewOptions extends LevelOptions {
  readonly maxContexts: number;
  readonly ours: ((object: TargetNode) => boolean) | undefined;
  readonly only: ((object: TargetNode) => boolean) | undefined;
  readonly onReconsider: (() => void) | undefined;
}

/** Returns the limits of one context: twice the limits of one target. */
export function limitsOfContexts({ maxPolicies, maxFields }: PolicyLimits): PolicyLimits {
  return { maxPolicies: 2 * maxPolicies, maxFields: 2 * maxFields };
}

/** A source of results about the same resources, such as the effective policies of the same kind in another topology. */
export type Elsewhere<Spec> = ReadPolicies<Spec> & KnownHierarchies<Spec>;

/** The state that the effective policies of a kind are computed from. */
export class ViewState<Spec> implements ScopeSource<Spec>, Setters {
  readonly kind: PolicyKind<Spec>;
  readonly topology: Topology;
  readonly levels: Levels<Spec>;
  readonly own: OwnValues<Spec>;
  contexts: Contexts<Spec>;
  readonly hierarchies: Hierarchies<Spec>;
  readonly scopes: PolicyScopes<Spec>;
  affected: Affected<Spec>;
  readonly managed: TargetTest;
  /** The objects that some replica of the controller is about. */
  readonly ours: TargetTest;
  /** The targets that paths may lead to or through. */
  readonly included: TargetTest;
  readonly #held: HeldStacks<Spec>;
  /** The lists of arrivals with merged stacks, by the lists of contexts. */
  readonly #merged = new Map<ArrivalsId, ArrivalsId>();
  /** The targets where a part of the policies counts. */
  readonly #parts: readonly Part<Spec>[];
  /** The slots that are gone, and those with edited policies, while a change is followed. */
  readonly #gone: LevelSlot<Spec>[] = [];
  readonly #sharesAt = new Map<TargetNode, readonly PolicyShare<Spec>[]>();
  #leftOut: LeftOut | undefined;
  readonly #isForTraffic: boolean;

  /**
   * @param elsewhere A source of results about the same resources, used for as long as this state lives.
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
    this.#isForTraffic = options.trafficFrom !== undefined;
    this.own = new OwnValues(kind);
    this.#parts = (kind.fieldsAt ?? none).map((fieldsAt) => new Part(topology, fieldsAt));
    this.levels = new Levels(topology, kind, this.own, options, earlier, elsewhere);
    this.managed = new TargetTest(kind.manages);
    this.ours = new TargetTest(options.ours);
    this.included = new TargetTest(includedIn(this.ours, options));
    this.contexts = new Contexts(topology, {
      isWanted: isOneOfTargetables(kind.effectiveTargets),
      isIncluded: (object) => this.included.has(object),
      wanted: kind.effectiveTargets,
      slotsAt: (target) => this.levels.at(target),
      isLevelAround: containerLevelsOf(kind),
      isDirect: kind.policyClass === 'Direct',
      isAncestor: isOneOf(kind.ancestors),
      ancestorEntries: kind.ancestorEntries,
      maxContexts: options.maxContexts,
      stackLimits: limitsOfContexts(options),
    });
    const foldLayers = mergesNothing(kind) ? foldNone : folds[kind.fold];
    this.#held = new HeldStacks(this.stacks, (level, policies) => levelOf(level, policies, kind));
    this.hierarchies = new Hierarchies(this.stacks, kind, foldLayers, elsewhere);
    this.scopes = new PolicyScopes(this);
    this.affected = new Affected(topology, this.contexts, this);
  }

  get stacks(): Stacks<Spec> {
    return this.contexts.positions.arrivals.stacks;
  }

  /** Returns the levels that are merged for a target in a context: the context's levels, and the target's own value. */
  merged({ target, stack }: ContextAt): StackId {
    const slot = this.#ownSlot(target);
    const held = this.#heldAt(target, stack);
    return slot === undefined ? held : this.stacks.push(held, slot);
  }

  /** Returns the stack of the policies that count at a target, without its own value. */
  #heldAt(target: TargetNode, stack: StackId): StackId {
    const part = this.#partAt(target);
    return part === undefined ? this.#held.of(stack) : this.#held.partOf(stack, part);
  }

  #partAt(target: TargetNode): Part<Spec> | undefined {
    return this.#parts.find(({ isAt }) => isAt(target));
  }

  /** Returns whether the links of a target decide which fields of policies count there. */
  isPartByLinks(target: TargetNode): boolean {
    return this.#parts.some(({ isByLinks, mayBeAt }) => isByLinks && mayBeAt(target));
  }

  #ownSlot(target: TargetNode): LevelSlot<Spec> | undefined {
    return this.levels.hasOwnLevel(target) ? undefined : this.own.of(target).slot;
  }

  /** Returns the stacks with a policy, by locator, whether or not there are such contexts. */
  stacksWith(policy: string): Iterable<StackId> {
    return this.#held.having(this.levels.slotsWith(policy));
  }

  /** Returns the scopes on a target: its contexts with policies, as arrivals with the stacks that are merged. */
  scopesOn(target: TargetNode): ArrivalsId {
    const { arrivals } = this.contexts.positions;
    const list = this.contexts.of(target);
    const lists = this.#partAt(target)?.merged ?? this.#merged;
    let merged = lists.get(list);
    if (merged === undefined) {
      merged = arrivals.mapStacks(list, (stack) =>
        this.#isReachedWith({ target, stack }) ? this.#heldAt(target, stack) : undefined,
      );
      lists.set(list, merged);
    }
    const slot = this.#ownSlot(target);
    return slot === undefined ? merged : arrivals.mapStacks(merged, (stack) => this.stacks.push(stack, slot));
  }

  /** Returns the contexts of a target. They are created for each question: there are many, and most are read once. */
  contextsOf(target: TargetNode): readonly Context<Spec>[] {
    return this.contexts.stacksOf(target).map((stack) => this.contextAt({ target, stack }));
  }

  contextAt(context: ContextAt): Context<Spec> {
    return this.#isReachedWith(context) ? this.#effectiveAt(context) : Context.at(this.contexts, context);
  }

  effectiveOf(target: TargetNode): readonly EffectivePolicy<Spec>[] {
    const stacks = this.contexts.stacksOf(target).filter((stack) => this.#isReachedWith({ target, stack }));
    return stacks.map((stack) => this.#effectiveAt({ target, stack }));
  }

  /** Returns the stacks of contexts without barred policies, as far as they have others. */
  reachedWith(list: ArrivalsId): readonly StackId[] {
    const stacks = this.contexts.positions.arrivals.stacksOf(list).map((stack) => this.#held.of(stack));
    return stacks.filter((stack) => this.stacks.sizeOf(stack) > 0);
  }

  /** Returns whether a context has policies that count. */
  #isReachedWith({ target, stack }: ContextAt): boolean {
    return this.stacks.sizeOf(this.#heldAt(target, stack)) > 0;
  }

  #effectiveAt(context: ContextAt): EffectivePolicy<Spec> {
    return EffectivePolicy.from(this.contexts, context, this.hierarchies.of(this.merged(context)));
  }

  /** Returns the locators of the policies that are attached to a target, name a missing section of it, or are barred below it. */
  policiesNaming(target: TargetNode): readonly string[] {
    const attached = this.topology.policiesAt(target, this.kind).map(({ locator }) => locator);
    const naming = [...attached, ...this.levels.namingNoSectionOf(target)];
    return this.levels.hasBars ? [...naming, ...this.#judgedAround(target)] : naming;
  }

  /** Returns the policies that are barred below a target, or in some contexts of its containers. */
  #judgedAround(target: TargetNode): readonly string[] {
    const around = target.containers.flatMap((container) => this.topology.policiesAt(container, this.kind));
    const judged = around.filter(({ locator }) => (this.levels.policy(locator)?.verdicts.length ?? 0) > 0);
    return [...this.levels.barredBy(target), ...judged.map(({ locator }) => locator)];
  }

  /** Returns the shares of the policies attached to a target among themselves, whatever is above and below the target. */
  sharesAt(target: TargetNode): readonly PolicyShare<Spec>[] {
    const knownShares = this.#sharesAt.get(target);
    if (knownShares !== undefined) return knownShares;
    const heldStack = this.#held.of(this.stacks.of(this.levels.at(target)));
    const shares = this.stacks.sizeOf(heldStack) > 0 ? this.hierarchies.of(heldStack).shares : none;
    this.#sharesAt.set(target, shares);
    return shares;
  }

  /**
   * Forgets the shares of the policies attached to a target among themselves.
   *
   * @returns The shares; `undefined` if they were not known.
   */
  forgetSharesAt(target: TargetNode): readonly PolicyShare<Spec>[] | undefined {
    const knownShares = this.#sharesAt.get(target);
    this.#sharesAt.delete(target);
    return knownShares;
  }

  /** Returns the first targets with too many contexts: at or below a target, or among the members of a container. */
  leftOutBelow(target: TargetNode): readonly TargetNode[] {
    const members = [target, ...this.topology.membersOf(target)];
    // A view of one namespace's traffic is asked about few targets, and there may be many such views.
    if (this.#isForTraffic && !this.contexts.areLeftOut(targetsBelow(members))) return none;
    this.#leftOut ??= new LeftOut(this.contexts.leftOut);
    if (this.#leftOut.isEmpty) return none;
    const positions = members.flatMap((it) => this.contexts.arrivalsAt(it));
    return this.#leftOut.below(target, positions);
  }

  /** Forgets which targets with too many contexts are below others, after a change. */
  forgetLeftOut(): void {
    this.#leftOut = undefined;
  }

  /**
   * Reads the own value of a target again.
   *
   * @returns Whether the own value may have changed.
   */
  renewOwn(target: TargetNode): boolean {
    const valueBefore = this.topology.get(target) === target ? this.own.renew(target) : this.own.forget(target);
    if (valueBefore?.slot !== undefined) this.#gone.push(valueBefore.slot);
    return valueBefore !== undefined;
  }

  /** Forgets slots that are gone, with all that is known about their stacks, once a change has been followed. */
  forgetSlots({ gone, edited }: Pick<ChangedLevels<Spec>, 'gone' | 'edited'>): void {
    for (const slot of [...gone, ...this.#gone.splice(0)]) {
      for (const stack of this.#held.having([slot])) this.hierarchies.forget(stack);
      this.#held.forget(slot);
    }
    for (const slot of edited.keys()) this.#held.forgetFewer(slot);
  }

  /** Leaves unused lists of arrivals behind. All that is known stays known; the objects of earlier answers stay unchanged. */
  compact(): void {
    const { contexts, copied } = this.contexts.compacted();
    this.scopes.moveTo(contexts, copied);
    this.contexts = contexts;
    this.#held.moveTo(this.stacks);
    this.hierarchies.moveTo(this.stacks, copied);
    this.#merged.clear();
    for (const part of this.#parts) part.clear();
    this.affected = new Affected(this.topology, contexts, this);
  }

  /** Whether policies are barred from some contexts only. */
  get hasBars(): boolean {
    return this.levels.hasBars;
  }

  /** Returns which policies set a field in any context with a stack, or with more slots. The first question finds all contexts. */
  settersFrom(stack: StackId, policies: ReadonlySet<string>): ReadonlySet<string> {
    return this.scopes.settersFrom(stack, policies);
  }

  /** Returns the policies that set a field in a context, by locator. */
  settersIn(context: ContextAt): ReadonlySet<string> {
    if (!this.#isReachedWith(context)) return emptySet;
    return this.hierarchies.of(this.merged(context)).setters;
  }
}

function mergesNothing<Spec>({ stanzas }: PolicyKind<Spec>): boolean {
  const strategies = Object.values(stanzas.strategies);
  return strategies.length > 0 && strategies.every(({ granularity }) => granularity === 'None');
}

/** Returns a test for the objects that count; `undefined` if all do. */
function includedIn(ours: TargetTest, options: ViewOptions): ((object: TargetNode) => boolean) | undefined {
  const { only = () => true } = options;
  if (options.ours === undefined) return options.only;
  return (object) => ours.has(object) && only(object);
}
