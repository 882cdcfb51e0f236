import type { FieldOrigin } from '@policy-machinery/merge';
import type { Fold } from '@policy-machinery/policy-kind';
import { levelsOf, type Stack } from '../contexts/stack.ts';
import { type ContextLayer, isOwnLayer, type TracedSpec } from '../fold/context-layer.ts';
import type { Folded, FoldLayers, Layers } from '../fold/fold.ts';
import { type LayerOrder, layOut, rejectedOn } from '../fold/layer-order.ts';
import type { MergeRules, MergeStep } from '../fold/operand.ts';
import type { Level } from '../levels/level.ts';
import { isOwnLevel } from '../levels/own-value.ts';
import { lossesOfMerges } from '../reasons/follow-losses.ts';
import { type LayerLoss, lossesOf, omissionStep, rejectionStep } from '../reasons/losses.ts';
import { OriginLists } from '../reasons/origin-lists.ts';
import { type PolicyShare, settersAmong, sharesOf } from '../reasons/policy-share.ts';
import { rejectedIn } from '../reasons/rejections.ts';

/** What of a policy kind says how hierarchies are merged. */
export interface HierarchyRules extends MergeRules {
  readonly ownValuePrecedence: 'most-specific' | 'highest';
  readonly fold: Fold;
}

/** Where hierarchies may be known already, such as the effective policies of the same kind in another topology. */
export interface KnownHierarchies<Spec> {
  /** The hierarchy of the very same resources and policies. */
  hierarchyLike(levels: readonly Level<Spec>[]): Hierarchy<Spec> | undefined;
}

/** How the hierarchies of a view are merged. */
interface Merging<Spec> {
  readonly rules: HierarchyRules;
  readonly foldLayers: FoldLayers;
  readonly originLists: OriginLists<Spec>;
  readonly elsewhere: KnownHierarchies<Spec> | undefined;
}

/**
 * The levels that meet in a context, as they are at one moment, and what they come to: the effective spec, who set what of it, and what became
 * of each policy. All of that is computed when it is first asked for, and kept.
 */
export class Hierarchy<Spec> {
  /** From the least specific one down. */
  readonly levels: readonly Level<Spec>[];
  readonly #merging: Merging<Spec>;
  #folded: Folded<Spec> | undefined = undefined;
  #origins: readonly FieldOrigin<ContextLayer<Spec>>[] | undefined = undefined;
  #shares: readonly PolicyShare<Spec>[] | undefined = undefined;
  #setters: ReadonlySet<string> | undefined = undefined;

  constructor(levels: readonly Level<Spec>[], merging: Merging<Spec>) {
    this.levels = levels;
    this.#merging = merging;
  }

  /** The levels without what the target says itself, which is the last of them if there is any. */
  get levelsAbove(): readonly Level<Spec>[] {
    const last = this.levels.at(-1);
    return last !== undefined && isOwnLevel(last) ? this.levels.slice(0, -1) : this.levels;
  }

  get order(): LayerOrder<Spec> {
    return layOut(this.levels, this.#merging.rules);
  }

  get folded(): Folded<Spec> {
    this.#folded ??= this.#like((it) => it.#folded) ?? this.#fold(this.order);
    return this.#folded;
  }

  get origins(): readonly FieldOrigin<ContextLayer<Spec>>[] {
    this.#origins ??= this.#merging.originLists.of(this.folded.spec.origins);
    return this.#origins;
  }

  /** What lost, and to whom. Merges the levels again. */
  get losses(): readonly LayerLoss<Spec>[] {
    const order = this.order;
    const steps: MergeStep<Spec>[] = [];
    const { spec } = this.#foldAgain(order, steps);
    const rejected = rejectedOn(this.levels).map((it) => rejectionStep(it, this.#merging.rules.order));
    return [...rejected.flatMap((step) => lossesOf(step, spec)), ...this.#lossesIn(order, steps, spec)];
  }

  /** What became of each policy; not of what the target says itself. */
  get shares(): readonly PolicyShare<Spec>[] {
    this.#shares ??= this.#like((it) => it.#shares) ?? this.#sharesIn(this.order);
    return this.#shares;
  }

  /** The locators of the policies that set or removed anything. */
  get setters(): ReadonlySet<string> {
    this.#setters ??= settersAmong(this.shares);
    return this.#setters;
  }

  /** What became of one policy, by its locator; `undefined` if it is not among these. O(policies). */
  shareOf(policy: string): PolicyShare<Spec> | undefined {
    return this.shares.find((share) => share.policy.locator === policy);
  }

  /** What is known of a hierarchy of the very same resources and policies. */
  #like<Known>(known: (hierarchy: Hierarchy<Spec>) => Known | undefined): Known | undefined {
    const like = this.#merging.elsewhere?.hierarchyLike(this.levels);
    return like && known(like);
  }

  /**
   * What was lost in merges, and by layers that were left out of them.
   *
   * @param inShort Whether only what the losses come to is asked for, and not each field.
   */
  #lossesIn(
    { layers, leftOut }: LayerOrder<Spec>,
    steps: readonly MergeStep<Spec>[],
    spec: TracedSpec<Spec>,
    inShort = false,
  ): readonly LayerLoss<Spec>[] {
    const ofMerges = lossesOfMerges(steps, spec, inShort);
    if (leftOut.length === 0) return ofMerges;
    const [nearest] = layers as unknown as Layers<Spec>;
    const { order } = this.#merging.rules;
    return ofMerges.concat(leftOut.flatMap((layer) => lossesOf(omissionStep(layer, nearest, spec, order), spec)));
  }

  #sharesIn(order: LayerOrder<Spec>): readonly PolicyShare<Spec>[] {
    const { layers } = order;
    const steps: MergeStep<Spec>[] = [];
    const again = this.#foldAgain(order, steps);
    const losses = this.#lossesIn(order, steps, again.spec, true);
    const { spec, issues } = this.folded;
    const shares = sharesOf({ layers, spec, issues, losses }, rejectedIn(this.levels, this.#merging.rules.order));
    const own = layers.filter(isOwnLayer); // Usually none.
    return own.length === 0 ? shares : shares.filter(({ policy }) => own.every((it) => it.policy !== policy));
  }

  /** @param steps Is given the merges. */
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

/** The hierarchies of stacks: one for all contexts with a stack, until one of its policies is edited. */
export class Hierarchies<Spec> {
  readonly #merging: Merging<Spec>;
  readonly #byStack = new WeakMap<Stack<Spec>, Hierarchy<Spec>>();

  constructor(rules: HierarchyRules, foldLayers: FoldLayers, elsewhere: KnownHierarchies<Spec> | undefined) {
    this.#merging = { rules, foldLayers, originLists: new OriginLists(), elsewhere };
  }

  of(stack: Stack<Spec>): Hierarchy<Spec> {
    const known = this.#byStack.get(stack);
    if (known !== undefined) return known;
    const hierarchy = this.from(levelsOf(stack));
    this.#byStack.set(stack, hierarchy);
    return hierarchy;
  }

  /** The hierarchy of a stack, if somebody has asked for it. */
  known(stack: Stack<Spec>): Hierarchy<Spec> | undefined {
    return this.#byStack.get(stack);
  }

  /** A hierarchy of some levels, which is not kept. */
  from(levels: readonly Level<Spec>[]): Hierarchy<Spec> {
    return new Hierarchy(levels, this.#merging);
  }

  /** Forgets what a stack came to, since one of its policies has been edited. */
  forget(stack: Stack<Spec>): void {
    this.#byStack.delete(stack);
  }
}
