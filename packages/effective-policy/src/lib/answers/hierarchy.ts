import type { FieldOrigin } from '@policy-machinery/merge';
import type { Fold } from '@policy-machinery/policy-kind';
import { levelsOf, type Stack } from '../contexts/stack.ts';
import { type ContextLayer, isOwnLayer } from '../fold/context-layer.ts';
import type { Folded, FoldLayers, Layers } from '../fold/fold.ts';
import { type LayerOrder, layOut, rejectedOn } from '../fold/layer-order.ts';
import type { MergeRules, MergeStep } from '../fold/operand.ts';
import type { Level } from '../levels/level.ts';
import { lossesOfMerges } from '../reasons/follow-losses.ts';
import { type LayerLoss, lossesOf, omissionStep, rejectionLoss, rejectionStep } from '../reasons/losses.ts';
import { OriginLists } from '../reasons/origin-lists.ts';
import { type PolicyShare, sharesOf } from '../reasons/policy-share.ts';

/** What of a policy kind says how hierarchies are merged. */
export interface HierarchyRules extends MergeRules {
  readonly ownValuePrecedence: 'most-specific' | 'highest';
  readonly fold: Fold;
}

/** Where hierarchies may be known already, such as another view. */
export interface KnownHierarchies<Spec> {
  /** The hierarchy of the very same resources and policies. */
  hierarchyLike(levels: readonly Level<Spec>[]): Hierarchy<Spec> | undefined;
}

/** How the hierarchies of a view are merged. */
interface Merging<Spec> {
  readonly rules: HierarchyRules;
  readonly foldLayers: FoldLayers;
  readonly originLists: OriginLists<Spec>;
  readonly earlier: KnownHierarchies<Spec> | undefined;
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

  constructor(levels: readonly Level<Spec>[], merging: Merging<Spec>) {
    this.levels = levels;
    this.#merging = merging;
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
    return this.#lossesIn(this.order);
  }

  /** What became of each policy; not of what the target says itself. */
  get shares(): readonly PolicyShare<Spec>[] {
    this.#shares ??= this.#like((it) => it.#shares) ?? this.#sharesIn(this.order);
    return this.#shares;
  }

  /** What is known of a hierarchy of the very same resources and policies. */
  #like<Known>(known: (hierarchy: Hierarchy<Spec>) => Known | undefined): Known | undefined {
    const like = this.#merging.earlier?.hierarchyLike(this.levels);
    return like && known(like);
  }

  /** @param inShort Whether only what the losses come to is asked for, and not each field. */
  #lossesIn({ layers, leftOut }: LayerOrder<Spec>, inShort = false): readonly LayerLoss<Spec>[] {
    const { order } = this.#merging.rules;
    const rejected = rejectedOn(this.levels);
    const [nearest] = layers as unknown as Layers<Spec>;
    const steps: MergeStep<Spec>[] = [];
    const folded = this.#fold({ layers, leftOut }, steps);
    const { spec } = folded;
    this.#folded ??= this.#like((it) => it.#folded) ?? folded;
    const lossesIn = (step: MergeStep<Spec>) => lossesOf(step, spec);
    return [
      ...rejected.flatMap((it) => (inShort ? rejectionLoss(it, order) : lossesIn(rejectionStep(it, order)))),
      ...lossesOfMerges(steps, spec, inShort),
      ...leftOut.flatMap((layer) => lossesIn(omissionStep(layer, nearest, spec, order))),
    ];
  }

  #sharesIn(order: LayerOrder<Spec>): readonly PolicyShare<Spec>[] {
    const { layers } = order;
    const losses = this.#lossesIn(order, true);
    const { spec, issues } = this.folded;
    const shares = sharesOf(layers, spec, losses, issues);
    const own = layers.filter(isOwnLayer); // Usually none.
    return own.length === 0 ? shares : shares.filter(({ policy }) => own.every((it) => it.policy !== policy));
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

  constructor(rules: HierarchyRules, foldLayers: FoldLayers, earlier: KnownHierarchies<Spec> | undefined) {
    this.#merging = { rules, foldLayers, originLists: new OriginLists(), earlier };
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
