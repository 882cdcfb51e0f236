import type { FieldOrigin } from '@policy-machinery/merge';
import type { Reduction } from '@policy-machinery/policy-kind';
import { levelsOf, type Stack } from '../contexts/stack.ts';
import { type Layout, layOut, rejectedOn } from '../fold/layout.ts';
import type { MergeRules, MergeStep } from '../fold/part.ts';
import { isOwnLayer, type PlacedLayer } from '../fold/placed-layer.ts';
import type { Layers, Reduced, Reducer } from '../fold/reduce.ts';
import type { Level } from '../levels/level.ts';
import { lossesOfMerges } from '../reasons/follow-losses.ts';
import { type LayerLoss, lossesOf, omissionStep, rejectionLoss, rejectionStep } from '../reasons/losses.ts';
import { OriginLists } from '../reasons/origin-lists.ts';
import { type PolicyShare, sharesOf } from '../reasons/policy-share.ts';

/** What of a policy kind says how hierarchies are merged. */
export interface HierarchyRules extends MergeRules {
  readonly ownValueStands: 'beneath' | 'above';
  readonly reduction: Reduction;
}

/** Where hierarchies may be known already, such as another view. */
export interface KnownHierarchies<Spec> {
  /** The hierarchy of the very same resources and policies. */
  hierarchyLike(levels: readonly Level<Spec>[]): Hierarchy<Spec> | undefined;
}

/** How the hierarchies of a view are merged. */
interface Merging<Spec> {
  readonly rules: HierarchyRules;
  readonly reducer: Reducer;
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
  #reduced: Reduced<Spec> | undefined = undefined;
  #origins: readonly FieldOrigin<PlacedLayer<Spec>>[] | undefined = undefined;
  #shares: readonly PolicyShare<Spec>[] | undefined = undefined;

  constructor(levels: readonly Level<Spec>[], merging: Merging<Spec>) {
    this.levels = levels;
    this.#merging = merging;
  }

  get layout(): Layout<Spec> {
    return layOut(this.levels, this.#merging.rules);
  }

  get reduced(): Reduced<Spec> {
    this.#reduced ??= this.#like((it) => it.#reduced) ?? this.#reduce(this.layout);
    return this.#reduced;
  }

  get origins(): readonly FieldOrigin<PlacedLayer<Spec>>[] {
    this.#origins ??= this.#merging.originLists.of(this.reduced.spec.origins);
    return this.#origins;
  }

  /** What lost, and to whom. Merges the levels again. */
  get losses(): readonly LayerLoss<Spec>[] {
    return this.#lossesIn(this.layout);
  }

  /** What became of each policy; not of what the target says itself. */
  get shares(): readonly PolicyShare<Spec>[] {
    this.#shares ??= this.#like((it) => it.#shares) ?? this.#sharesIn(this.layout);
    return this.#shares;
  }

  /** What is known of a hierarchy of the very same resources and policies. */
  #like<Known>(known: (hierarchy: Hierarchy<Spec>) => Known | undefined): Known | undefined {
    const like = this.#merging.earlier?.hierarchyLike(this.levels);
    return like && known(like);
  }

  /** @param inShort Whether only what the losses come to is asked for, and not each field. */
  #lossesIn({ layers, leftOut }: Layout<Spec>, inShort = false): readonly LayerLoss<Spec>[] {
    const { order } = this.#merging.rules;
    const rejected = rejectedOn(this.levels);
    const [nearest] = layers as unknown as Layers<Spec>;
    const steps: MergeStep<Spec>[] = [];
    const reduced = this.#reduce({ layers, leftOut }, steps);
    const { spec } = reduced;
    this.#reduced ??= this.#like((it) => it.#reduced) ?? reduced;
    const lossesIn = (step: MergeStep<Spec>) => lossesOf(step, spec);
    return [
      ...rejected.flatMap((it) => (inShort ? rejectionLoss(it, order) : lossesIn(rejectionStep(it, order)))),
      ...lossesOfMerges(steps, spec, inShort),
      ...leftOut.flatMap((layer) => lossesIn(omissionStep(layer, nearest, spec, order))),
    ];
  }

  #sharesIn(layout: Layout<Spec>): readonly PolicyShare<Spec>[] {
    const { layers } = layout;
    const losses = this.#lossesIn(layout, true);
    const { spec, issues } = this.reduced;
    const shares = sharesOf(layers, spec, losses, issues);
    const own = layers.filter(isOwnLayer); // Usually none.
    return own.length === 0 ? shares : shares.filter(({ policy }) => own.every((it) => it.policy !== policy));
  }

  #reduce({ layers }: Layout<Spec>, steps?: MergeStep<Spec>[]): Reduced<Spec> {
    const { reducer, rules } = this.#merging;
    return reducer(layers as unknown as Layers<Spec>, rules, steps);
  }
}

/** The hierarchies of stacks: one for all contexts with a stack, until one of its policies is edited. */
export class Hierarchies<Spec> {
  readonly #merging: Merging<Spec>;
  readonly #byStack = new WeakMap<Stack<Spec>, Hierarchy<Spec>>();

  constructor(rules: HierarchyRules, reducer: Reducer, earlier: KnownHierarchies<Spec> | undefined) {
    this.#merging = { rules, reducer, originLists: new OriginLists(), earlier };
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
