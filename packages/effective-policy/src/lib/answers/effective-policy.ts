import type { FieldOrigin } from '@policy-machinery/merge';
import type { Reduction } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import type { Path, PathOptions, TargetNode } from '@policy-machinery/topology';
import type { Contexts, PlacedContext } from '../contexts/contexts.ts';
import { levelsOf, type Stack } from '../contexts/stack.ts';
import { type Layout, layOut, type PlacedLayer, rejectedOn } from '../fold/layout.ts';
import type { MergeRules, MergeStep } from '../fold/part.ts';
import type { Layers, Reduced, Reducer } from '../fold/reduce.ts';
import type { Level } from '../levels/level.ts';
import { isOwnLayer } from '../levels/own-value.ts';
import { type EffectiveField, fieldsOf, settersOf } from '../reasons/fields.ts';
import { lossesOfMerges } from '../reasons/follow-losses.ts';
import {
  type LayerLoss,
  type Loss,
  lossesOf,
  omissionStep,
  rejectionLoss,
  rejectionStep,
  summarize,
} from '../reasons/losses.ts';
import { OriginLists } from '../reasons/origin-lists.ts';
import { type PolicyShare, sharesOf } from '../reasons/policy-share.ts';

/** A target as it is reached with one set of policies on the way. */
export class Context<Spec> {
  /** The effective target. */
  readonly target: TargetNode;
  readonly #contexts: Contexts<Spec>;
  readonly #stack: Stack<Spec>;

  protected constructor(...made: never[]);
  /** @internal */
  protected constructor(contexts: Contexts<Spec>, target: TargetNode, stack: Stack<Spec>);
  protected constructor(contexts: Contexts<Spec>, target: TargetNode, stack: Stack<Spec>) {
    this.#contexts = contexts;
    this.target = target;
    this.#stack = stack;
  }

  /** @internal Made by `effectivePolicies`. */
  static at<Spec>(contexts: Contexts<Spec>, target: TargetNode, stack: Stack<Spec>): Context<Spec> {
    return new Context(contexts, target, stack);
  }

  /** Whether another object means this context: one is made each time somebody asks. */
  isSame(other: Context<Spec>): boolean {
    return this.target === other.target && this.#stack === other.#stack;
  }

  /** How many paths come upon the target in this context. O(links above) at first. */
  get pathCount(): bigint {
    return this.#contexts.count(this.target, this.#stack);
  }

  /**
   * The ancestors (S-11) that paths of this context lead through, in the order of their locators. O(links above) at first.
   */
  get ancestors(): readonly TargetNode[] {
    const ancestors = [...this.#contexts.ancestors(this.target, this.#stack)];
    return ancestors.sort((a, b) => (a.locator < b.locator ? -1 : 1));
  }

  /** The targets on the way that have policies, least specific first. */
  get levels(): readonly Level<Spec>[] {
    return levelsOf(this.#contexts.places.held.of(this.#stack));
  }

  /**
   * The paths of this context, made one by one as they are asked for.
   *
   * @param options The limit. Default 10,000 paths.
   * @returns The paths, least specific target first.
   * @throws {PolicyMachineryError} `too-many-paths`, on asking for one more than the limit.
   */
  paths(options?: PathOptions): Iterable<Path> {
    return this.#contexts.paths(this.target, this.#stack, options);
  }
}

/** The policy that finally applies to a target in one context. */
export class EffectivePolicy<Spec> extends Context<Spec> {
  /** The levels of the context, and beneath them what the target says itself. */
  readonly #merged: Stack<Spec>;
  readonly #results: EffectiveResults<Spec>;

  private constructor(
    contexts: Contexts<Spec>,
    target: TargetNode,
    stack: Stack<Spec>,
    merged: Stack<Spec>,
    results: EffectiveResults<Spec>,
  ) {
    super(contexts, target, stack);
    this.#merged = merged;
    this.#results = results;
  }

  /** @internal Made by `effectivePolicies`. */
  static from<Spec>(
    contexts: Contexts<Spec>,
    { target, stack }: PlacedContext<Spec>,
    merged: Stack<Spec>,
    results: EffectiveResults<Spec>,
  ): EffectivePolicy<Spec> {
    return new EffectivePolicy(contexts, target, stack, merged, results);
  }

  /** The effective spec. Shares its parts with the policies: do not change it. Computed once for all equal contexts. */
  get spec(): Spec {
    return this.#results.of(this.#merged).spec.value as Spec;
  }

  /** The layers of this context in the order in which they were merged: the most specific first. */
  get layers(): readonly PlacedLayer<Spec>[] {
    return this.#results.layoutOf(this.#merged).layers;
  }

  /** The layers whose strategy or condition failed in this context; each says what was done instead. */
  get issues(): readonly Issue[] {
    return this.#results.of(this.#merged).issues;
  }

  /**
   * Who set a field.
   *
   * @param pointer JSON Pointer to the field, from the root of the spec; `''` for the whole spec.
   * @returns Everyone who set a part of it; nobody for a field that is not there and was not removed either.
   * @throws {TypeError} When the pointer is malformed.
   */
  originsOf(pointer: string): readonly PlacedLayer<Spec>[] {
    return settersOf(this.#results.of(this.#merged).spec, pointer);
  }

  /**
   * Who set a field, where that is one.
   *
   * @param pointer JSON Pointer to the field, from the root of the spec.
   * @returns The layer that set it; `undefined` when nobody did, or several.
   * @throws {TypeError} When the pointer is malformed.
   */
  originOf(pointer: string): PlacedLayer<Spec> | undefined {
    const origins = this.originsOf(pointer);
    return origins.length === 1 ? origins[0] : undefined;
  }

  /** Who set what, by maximal subtrees: one entry for the whole spec when it is all from one policy. */
  get origins(): readonly { readonly pointer: string; readonly by: readonly PlacedLayer<Spec>[] }[] {
    return this.#results.originsOf(this.#merged);
  }

  /** What lost, to whom first and by which rule, in the order in which it was lost. Merges the context again. */
  get losses(): readonly Loss<Spec>[] {
    return this.#results.lossesOf(this.#merged).flatMap((loss) => summarize(loss));
  }

  /** What became of each policy of this context. */
  get shares(): readonly PolicyShare<Spec>[] {
    return this.#results.sharesOf(this.#merged);
  }

  /**
   * Every field that a layer of this context sets: what it is in the end, who set it, and over whom. First those of the
   * effective spec, in its order. Merges the context anew.
   */
  get fields(): readonly EffectiveField<Spec>[] {
    return this.fieldsIn(new Map());
  }

  /**
   * @internal Those of the {@link fields} that are meant.
   * @param known The same of contexts in which the very same policies meet, if they have been asked for.
   * @param isMeant Default: all are.
   */
  fieldsIn(
    known: Map<unknown, readonly EffectiveField<Spec>[]>,
    isMeant?: (field: EffectiveField<Spec>) => boolean,
  ): readonly EffectiveField<Spec>[] {
    const there = known.get(this.#merged);
    if (there !== undefined) return there;
    const losses = this.#results.lossesOf(this.#merged).flatMap(({ fields }) => fields);
    const all = fieldsOf(this.#results.of(this.#merged).spec, losses);
    const fields = isMeant === undefined ? all : all.filter(isMeant);
    known.set(this.#merged, fields);
    return fields;
  }
}

/** What of a policy kind says how its contexts are merged. */
export interface ResultRules extends MergeRules {
  readonly ownValueStands: 'beneath' | 'above';
  readonly reduction: Reduction;
}

type Shares<Spec> = readonly PolicyShare<Spec>[];

/** Another view, in which something may be known. */
export interface LikeStacks<Spec> {
  /** The stack of the very same resources and policies there. */
  stackLike(stack: Stack<Spec>): Stack<Spec> | undefined;
}

/** What each distinct stack came to, computed when first asked for, and kept with the stack. */
export class EffectiveResults<Spec> {
  readonly #rules: ResultRules;
  readonly #reducer: Reducer;
  readonly #earlier: LikeStacks<Spec> | undefined;
  readonly #origins = new OriginLists<Spec>();

  constructor(rules: ResultRules, reducer: Reducer, earlier: LikeStacks<Spec> | undefined) {
    this.#rules = rules;
    this.#reducer = reducer;
    this.#earlier = earlier;
  }

  layoutOf(stack: Stack<Spec>): Layout<Spec> {
    return layOut(stack, this.#rules);
  }

  of(stack: Stack<Spec>): Reduced<Spec> {
    stack.result ??= this.#earlier?.stackLike(stack)?.result ?? this.#reduce(this.layoutOf(stack));
    return stack.result;
  }

  originsOf(stack: Stack<Spec>): readonly FieldOrigin<PlacedLayer<Spec>>[] {
    stack.origins ??= this.#origins.of(this.of(stack).spec.origins);
    return stack.origins;
  }

  lossesOf(stack: Stack<Spec>): readonly LayerLoss<Spec>[] {
    return this.#lossesIn(stack, this.layoutOf(stack));
  }

  /** @param inShort Whether only what the losses come to is asked for, and not each field. */
  #lossesIn(stack: Stack<Spec>, layout: Layout<Spec>, inShort = false): readonly LayerLoss<Spec>[] {
    const { layers, leftOut } = layout;
    const rejected = rejectedOn(stack);
    const [nearest] = layers as unknown as Layers<Spec>;
    const steps: MergeStep<Spec>[] = [];
    const reduced = this.#reduce(layout, steps);
    const { spec } = reduced;
    stack.result ??= this.#earlier?.stackLike(stack)?.result ?? reduced;
    const { order } = this.#rules;
    const lossesIn = (step: MergeStep<Spec>) => lossesOf(step, spec);
    return [
      ...rejected.flatMap((it) => (inShort ? rejectionLoss(it, order) : lossesIn(rejectionStep(it, order)))),
      ...lossesOfMerges(steps, spec, inShort),
      ...leftOut.flatMap((layer) => lossesIn(omissionStep(layer, nearest, spec, order))),
    ];
  }

  /** What became of each policy; not of what the target says itself. */
  sharesOf(stack: Stack<Spec>): Shares<Spec> {
    stack.shares ??= this.#earlier?.stackLike(stack)?.shares ?? this.#sharesIn(stack);
    return stack.shares;
  }

  #sharesIn(stack: Stack<Spec>): Shares<Spec> {
    const layout = this.layoutOf(stack);
    const { layers } = layout;
    const losses = this.#lossesIn(stack, layout, true);
    const { spec, issues } = this.of(stack);
    const shares = sharesOf(layers, spec, losses, issues);
    const own = layers.filter(isOwnLayer); // As a rule none.
    return own.length === 0 ? shares : shares.filter(({ policy }) => own.every((it) => it.policy !== policy));
  }

  #reduce({ layers }: Layout<Spec>, steps?: MergeStep<Spec>[]): Reduced<Spec> {
    return this.#reducer(layers as unknown as Layers<Spec>, this.#rules, steps);
  }
}
