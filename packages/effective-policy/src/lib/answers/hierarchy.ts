import type { FieldOrigin } from '@policy-machinery/merge';
import type { Fold, Policy, PolicyKind } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import type { CopiedArrivals } from '../contexts/copied-arrivals.ts';
import type { StackId, Stacks } from '../contexts/stacks.ts';
import { type ContextLayer, isOwnLayer } from '../fold/context-layer.ts';
import type { Folded, FoldLayers, Layers } from '../fold/fold.ts';
import { foldNone } from '../fold/fold-none.ts';
import { type LayerOrder, layOut, rejectedOn } from '../fold/layer-order.ts';
import type { MergeRules, MergeStep } from '../fold/operand.ts';
import { alternativeOrders, type ContestOf } from '../levels/alternative-orders.ts';
import { isOwnLevel, type Level, type LevelRules } from '../levels/level.ts';
import type { ContextLosses } from '../reasons/loss.ts';
import { lossesOfMerges, omissionStep, rejectionStep } from '../reasons/losses.ts';
import { OriginLists } from '../reasons/origin-lists.ts';
import { type PolicyShare, settersAmong } from '../reasons/policy-share.ts';
import { refusalsOf } from '../reasons/refusals.ts';
import { rejectedIn } from '../reasons/rejections.ts';
import { sharesOf } from '../reasons/shares-of.ts';
import { withUndecided } from '../reasons/undecided-shares.ts';

/** The rules of a policy kind for merging hierarchies. */
export interface HierarchyRules extends MergeRules, LevelRules, Pick<PolicyKind<unknown>, 'check'> {
  readonly ownValuePrecedence: 'most-specific' | 'highest';
  readonly fold: Fold;
}

/** A source of hierarchies that are known already, such as the effective policies of the same kind in another topology. */
export interface KnownHierarchies<Spec> {
  /** Returns the hierarchy of the same resources and policies. */
  hierarchyLike(levels: readonly Level<Spec>[]): Hierarchy<Spec> | undefined;
}

/** The state that the hierarchies of a view share for merging. */
interface Merging<Spec> {
  readonly rules: HierarchyRules;
  readonly foldLayers: FoldLayers;
  readonly originLists: OriginLists<Spec>;
  readonly elsewhere: KnownHierarchies<Spec> | undefined;
}

/**
 * The levels of a context at one moment, and their result: the effective spec, the origins of its fields, and the share of each policy. Each is
 * computed when it is first read, and kept.
 */
export class Hierarchy<Spec> {
  /** The levels, the least specific first. */
  readonly levels: readonly Level<Spec>[];
  readonly #merging: Merging<Spec>;
  #folded: Folded<Spec> | undefined = undefined;
  #issues: readonly Issue[] | undefined = undefined;
  #origins: readonly FieldOrigin<ContextLayer<Spec>>[] | undefined = undefined;
  #shares: readonly PolicyShare<Spec>[] | undefined = undefined;
  #setters: ReadonlySet<string> | undefined = undefined;
  #alternatives: readonly Hierarchy<Spec>[] | 'too many' | undefined = undefined;

  constructor(levels: readonly Level<Spec>[], merging: Merging<Spec>) {
    this.levels = levels;
    this.#merging = merging;
  }

  /** The levels without the own values of targets. */
  get levelsAbove(): readonly Level<Spec>[] {
    return this.levels.some(isOwnLevel) ? this.levels.filter((level) => !isOwnLevel(level)) : this.levels;
  }

  get order(): LayerOrder<Spec> {
    return layOut(this.levels, this.#merging.rules);
  }

  get folded(): Folded<Spec> {
    this.#folded ??= this.#like((it) => it.#folded) ?? this.#fold(this.order);
    return this.#folded;
  }

  /** The layers with a failed strategy or condition, and why the schema refuses the result. */
  get issues(): readonly Issue[] {
    this.#issues ??= this.#like((it) => it.#issues) ?? this.#issuesOf(this.folded);
    return this.#issues;
  }

  get origins(): readonly FieldOrigin<ContextLayer<Spec>>[] {
    this.#origins ??= this.#merging.originLists.of(this.folded.spec.origins);
    return this.#origins;
  }

  /** The losses, and the layers that prevailed. Merges the levels again. */
  get losses(): ContextLosses<Spec> {
    const steps = rejectedOn(this.levels).map((it) => rejectionStep(it, this.#merging.rules));
    return this.#lossesIn(this.order, steps);
  }

  /** The share of each policy; not of the target's own value. */
  get shares(): readonly PolicyShare<Spec>[] {
    this.#shares ??= this.#like((it) => it.#shares) ?? this.#decidedShares();
    return this.#shares;
  }

  /**
   * The same levels in each order that their policies can have, where the ages of some are not known, and with each own value that may prevail; itself if
   * all is known that decides. `undefined` if there are too many orders.
   */
  get alternatives(): readonly Hierarchy<Spec>[] | undefined {
    this.#alternatives ??= this.#alternativesIn() ?? 'too many';
    return this.#alternatives === 'too many' ? undefined : this.#alternatives;
  }

  get hasShares(): boolean {
    return this.#shares !== undefined;
  }

  /** The locators of the policies that set or removed anything. */
  get setters(): ReadonlySet<string> {
    this.#setters ??= settersAmong(this.shares);
    return this.#setters;
  }

  /** Returns the share of a policy; `undefined` if the policy is not in this hierarchy. O(policies). */
  shareOf(policy: Policy<Spec>): PolicyShare<Spec> | undefined {
    return this.shares.find((share) => share.policy === policy);
  }

  /** Returns the knowledge of another view about the same resources and policies. */
  #like<Known>(resultOf: (hierarchy: Hierarchy<Spec>) => Known | undefined): Known | undefined {
    const like = this.#merging.elsewhere?.hierarchyLike(this.levels);
    return like && resultOf(like);
  }

  /**
   * Returns the losses in merges, and the losses of layers that were left out of the merges. Merges the levels again.
   *
   * @param steps Merges before these.
   * @param inShort Whether a spec that was replaced as a whole is one loss, instead of one for each field.
   */
  #lossesIn(order: LayerOrder<Spec>, steps: MergeStep<Spec>[], inShort = false): ContextLosses<Spec> {
    const { spec } = this.#foldAgain(order, steps);
    const { layers, leftOut } = order;
    const [nearest] = layers as unknown as Layers<Spec>;
    for (const layer of leftOut) steps.push(omissionStep(layer, nearest, spec, this.#merging.rules.order));
    return lossesOfMerges(steps, spec, inShort);
  }

  #issuesOf({ spec, issues }: Folded<Spec>): readonly Issue[] {
    const refusals = refusalsOf(spec, this.#merging.rules.check);
    return refusals.length === 0 ? issues : [...issues, ...refusals];
  }

  #alternativesIn(): readonly Hierarchy<Spec>[] | undefined {
    const { rules, foldLayers } = this.#merging;
    const contestOf: ContestOf = (level) => {
      if (foldLayers === foldNone) return this; // The oldest stays, on whatever level.
      return rules.withinObject === undefined ? level : level.target.object;
    };
    const orders = alternativeOrders(this.levels, rules, contestOf)?.flatMap(withUndecidedOwn);
    const merging = { ...this.#merging, elsewhere: undefined };
    return orders?.map((levels) => (levels === this.levels ? this : new Hierarchy(levels, merging)));
  }

  #decidedShares(): readonly PolicyShare<Spec>[] {
    const shares = this.#sharesIn(this.order);
    if (shares.every(({ losses }) => losses.length === 0) && !this.levels.some(mayPrevail)) return shares;
    const { alternatives } = this;
    if (alternatives?.length === 1) return shares;
    return withUndecided(
      shares,
      alternatives?.map((it) => it.#sharesIn(it.order)),
    );
  }

  #sharesIn(order: LayerOrder<Spec>): readonly PolicyShare<Spec>[] {
    const { layers } = order;
    const losses = this.#lossesIn(order, [], true);
    const { folded, issues } = this;
    const { spec } = folded;
    const shares = sharesOf({ layers, spec, issues, ...losses }, rejectedIn(this.levels, this.#merging.rules));
    const ownLayers = layers.filter(isOwnLayer); // Usually none.
    return ownLayers.length === 0
      ? shares
      : shares.filter(({ policy }) => ownLayers.every((it) => it.policy !== policy));
  }

  /** @param steps Receives the merges. */
  #foldAgain(order: LayerOrder<Spec>, steps: MergeStep<Spec>[]): Folded<Spec> {
    const folded = this.#fold(order, steps);
    this.#folded ??= this.#like((it) => it.#folded) ?? folded;
    return folded;
  }

  #fold({ layers }: LayerOrder<Spec>, steps?: MergeStep<Spec>[]): Folded<Spec> {
    const { foldLayers, rules } = this.#merging;
    return foldLayers(layers as unknown as Layers<Spec>, rules, steps);
  }
}

/** Returns whether a level is an own value with undecided fields: whether these prevail over policies is not known. */
function mayPrevail({ undecided }: Level<unknown>): boolean {
  return undecided !== undefined;
}

/** Returns levels without such fields of own values, and with them. */
function withUndecidedOwn<Spec>(levels: readonly Level<Spec>[]): readonly (readonly Level<Spec>[])[] {
  return levels.some(mayPrevail) ? [levels, levels.map((level) => level.undecided ?? level)] : [levels];
}

/** The hierarchies of stacks: one for all contexts with the same stack, until a policy of the stack is edited. */
export class Hierarchies<Spec> {
  #stacks: Stacks<Spec>;
  readonly #merging: Merging<Spec>;
  #known = new Map<StackId, Hierarchy<Spec>>();

  constructor(
    stacks: Stacks<Spec>,
    rules: HierarchyRules,
    foldLayers: FoldLayers,
    elsewhere: KnownHierarchies<Spec> | undefined,
  ) {
    this.#stacks = stacks;
    this.#merging = { rules, foldLayers, originLists: new OriginLists(), elsewhere };
  }

  of(stack: StackId): Hierarchy<Spec> {
    const knownHierarchy = this.known(stack);
    if (knownHierarchy !== undefined) return knownHierarchy;
    const hierarchy = this.from(this.#stacks.levelsOf(stack));
    this.#known.set(stack, hierarchy);
    return hierarchy;
  }

  /** Returns the hierarchy of a stack if it was created before. */
  known(stack: StackId): Hierarchy<Spec> | undefined {
    return this.#known.get(stack);
  }

  /** Returns a new hierarchy of some levels, which is not kept. */
  from(levels: readonly Level<Spec>[]): Hierarchy<Spec> {
    return new Hierarchy(levels, this.#merging);
  }

  /** Moves the hierarchies of stacks that were copied to other tables, and forgets all others. */
  moveTo(stacks: Stacks<Spec>, copied: CopiedArrivals<Spec>): void {
    const moved = [...this.#known].flatMap(([stack, hierarchy]) => {
      const copy = copied.stack(stack);
      return copy === undefined ? [] : [[copy, hierarchy] as const];
    });
    this.#known = new Map(moved);
    this.#stacks = stacks;
  }

  /** Forgets the hierarchy of a stack, after an edit of one of its policies. */
  forget(stack: StackId): void {
    this.#known.delete(stack);
  }
}
