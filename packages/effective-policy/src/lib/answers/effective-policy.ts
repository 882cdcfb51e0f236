import type { Issue } from '@policy-machinery/resource';
import type { Path, PathOptions, TargetNode } from '@policy-machinery/topology';
import { inOrder } from '../contexts/ancestor-sets.ts';
import type { ContextAt, Contexts } from '../contexts/contexts.ts';
import type { UndecidedLink } from '../contexts/undecided-link.ts';
import type { ContextLayer } from '../fold/context-layer.ts';
import type { Level } from '../levels/level.ts';
import { type EffectiveField, fieldsOf, settersOf } from '../reasons/fields.ts';
import { type Loss, summarize } from '../reasons/loss.ts';
import type { PolicyShare } from '../reasons/policy-share.ts';
import type { Hierarchy } from './hierarchy.ts';

const noTargets: readonly TargetNode[] = [];

/** A context: an effective target, and the policies on the paths that lead to it. */
export class Context<Spec> {
  /** The effective target. */
  readonly target: TargetNode;
  readonly #contexts: Contexts<Spec>;
  readonly #context: ContextAt;

  protected constructor(...made: never[]);
  /** @internal */
  protected constructor(contexts: Contexts<Spec>, context: ContextAt);
  protected constructor(contexts: Contexts<Spec>, context: ContextAt) {
    this.#contexts = contexts;
    this.target = context.target;
    this.#context = context;
  }

  /** @internal Made by `effectivePolicies`. */
  static at<Spec>(contexts: Contexts<Spec>, context: ContextAt): Context<Spec> {
    return new Context(contexts, context);
  }

  /** Returns whether another object represents this context: each question creates new objects. */
  isSame(other: Context<Spec>): boolean {
    return this.target === other.target && this.#context.stack === other.#context.stack;
  }

  /** How many paths reach the target in this context. O(links above) at first. */
  get pathCount(): bigint {
    return this.#contexts.countPaths(this.#context);
  }

  /**
   * The ancestors that paths of this context lead through, in the order of their locators: objects of the kinds in `ancestors` of the policy
   * kind, and beside these the topmost target of each path that has none. Empty if no path has one. One list for all contexts with the same ones.
   * O(links above) at first.
   */
  get ancestors(): readonly TargetNode[] {
    const { isAncestor } = this.#contexts.positions.options;
    const tops = this.#tops;
    return tops.some(({ object }) => isAncestor(object)) ? tops : noTargets;
  }

  /** The ancestors, and the topmost target of each path that has none. */
  get #tops(): readonly TargetNode[] {
    return this.#contexts.ancestorsOf(this.#context);
  }

  /**
   * The objects that run the data planes of this context, in the order of their locators: the topmost ones of its {@link ancestors}, such as the
   * Gateway of a ListenerSet, and the topmost target of each path without any. O(links above) at first.
   */
  get dataPlanes(): readonly TargetNode[] {
    const { topology, positions } = this.#contexts;
    const { isAncestor } = positions.options;
    const above = (object: TargetNode): readonly TargetNode[] =>
      topology.ancestors(object).flatMap((it) => (it.object !== object && isAncestor(it.object) ? it.object : []));
    const objects = new Set(this.#tops.map(({ object }) => object));
    return inOrder(
      new Set(
        [...objects].flatMap((object) => {
          const objectsAbove = above(object);
          return objectsAbove.length === 0 ? [object] : objectsAbove.filter((other) => above(other).length === 0);
        }),
      ),
    );
  }

  /**
   * The targets that paths of this context pass, with the target itself, and the containers with policies on the way: each target with this context
   * in the answer of `explain`. O(links above).
   */
  get passed(): ReadonlySet<TargetNode> {
    return this.#contexts.passedBy(this.#context);
  }

  /**
   * An undecided link that all paths of this context lead through, or one of several: then it is not known whether there is such a context. `undefined` if
   * there is one. O(links above), and O(1) without any undecided link in the topology.
   */
  get undecidedLink(): UndecidedLink | undefined {
    return this.#contexts.undecidedLink(this.#context);
  }

  /** The levels of the context, the least specific first. Usually contexts with the same levels share one list. */
  get levels(): readonly Level<Spec>[] {
    return []; // With levels, the context has an effective policy.
  }

  /**
   * Returns the paths of this context. They are computed one by one, on demand.
   *
   * @param options The limit. Default 10,000 paths.
   * @returns The paths, each with the least specific target first.
   * @throws {PolicyMachineryError} `too-many-paths`, when you ask for one path more than the limit.
   */
  paths(options?: PathOptions): Iterable<Path> {
    return this.#contexts.paths(this.#context, options);
  }
}

/** The policy that finally applies to a target in one context. */
export class EffectivePolicy<Spec> extends Context<Spec> {
  /** The levels of the context, and the target's own value as the last one. */
  readonly #hierarchy: Hierarchy<Spec>;
  readonly #contexts: Contexts<Spec>;
  readonly #context: ContextAt;

  private constructor(contexts: Contexts<Spec>, context: ContextAt, hierarchy: Hierarchy<Spec>) {
    super(contexts, context);
    this.#hierarchy = hierarchy;
    this.#contexts = contexts;
    this.#context = context;
  }

  /** @internal Made by `effectivePolicies`. */
  static from<Spec>(contexts: Contexts<Spec>, context: ContextAt, hierarchy: Hierarchy<Spec>): EffectivePolicy<Spec> {
    return new EffectivePolicy(contexts, context, hierarchy);
  }

  override get levels(): readonly Level<Spec>[] {
    return this.#hierarchy.levelsAbove;
  }

  /**
   * The effective policy for each order that its policies can have, where the ages of some are not known: each policy without a creation time may be older
   * or newer than any other. Also with and without undecided fields of the target's own value. Itself alone if all is
   * known that decides; `undefined` if there are too many orders.
   */
  get alternatives(): readonly EffectivePolicy<Spec>[] | undefined {
    return this.#hierarchy.alternatives?.map((alternative) => {
      return alternative === this.#hierarchy ? this : new EffectivePolicy(this.#contexts, this.#context, alternative);
    });
  }

  /** A key for maps: effective policies with the same key have the same spec, origins, losses and shares. Edits of policies change it. */
  get key(): object {
    return this.#hierarchy;
  }

  /** The effective spec. It shares parts with the policies: do not change it. Computed once for all equal contexts. */
  get spec(): Spec {
    return this.#hierarchy.folded.spec.value as Spec;
  }

  /** The layers of this context in the order of merging: the most specific first. */
  get layers(): readonly ContextLayer<Spec>[] {
    return this.#hierarchy.order.layers;
  }

  /**
   * The issues in this context: layers with a failed strategy or condition, with the replacement; and why the schema refuses the
   * merged spec (`refused-when-merged`), with the origins of the fields concerned.
   */
  get issues(): readonly Issue[] {
    return this.#hierarchy.issues;
  }

  /**
   * Returns the layers that set a field.
   *
   * @param pointer JSON Pointer to the field, from the root of the spec; `''` for the whole spec.
   * @returns All layers that set a part of the field; none for a field that is absent and was not removed.
   * @throws {TypeError} If the pointer is malformed.
   */
  originsOf(pointer: string): readonly ContextLayer<Spec>[] {
    return settersOf(this.#hierarchy.folded.spec, pointer);
  }

  /**
   * Returns the layer that set a field.
   *
   * @param pointer JSON Pointer to the field, from the root of the spec.
   * @returns The layer; `undefined` if none or several layers set the field.
   * @throws {TypeError} If the pointer is malformed.
   */
  originOf(pointer: string): ContextLayer<Spec> | undefined {
    const origins = this.originsOf(pointer);
    return origins.length === 1 ? origins[0] : undefined;
  }

  /** The layers that set the fields, by maximal subtrees: one entry for the whole spec if it comes from one policy. */
  get origins(): readonly { readonly pointer: string; readonly by: readonly ContextLayer<Spec>[] }[] {
    return this.#hierarchy.origins;
  }

  /** The losses, with the winning layers and the rule, in the order of the merges. An equal value is not a loss. Merges the context again. */
  get losses(): readonly Loss<Spec>[] {
    return this.#hierarchy.losses.losses.flatMap((loss) => summarize(loss));
  }

  /** The outcome of each policy of this context. */
  get shares(): readonly PolicyShare<Spec>[] {
    return this.#hierarchy.shares;
  }

  /**
   * Every field that a layer of this context sets: its effective value, the layers that set it, and those that lost. The fields of the
   * effective spec come first, in its order. Merges the context again.
   */
  get fields(): readonly EffectiveField<Spec>[] {
    return this.fieldsIn(new Map());
  }

  /**
   * @internal Returns some of the {@link fields}.
   * @param cache The fields of contexts with the same policies that have been computed.
   * @param isMeant Whether a field is returned. Default: all are.
   */
  fieldsIn(
    cache: Map<unknown, readonly EffectiveField<Spec>[]>,
    isMeant?: (field: EffectiveField<Spec>) => boolean,
  ): readonly EffectiveField<Spec>[] {
    const cachedFields = cache.get(this.#hierarchy);
    if (cachedFields !== undefined) return cachedFields;
    const allFields = fieldsOf(this.#hierarchy.folded.spec, this.#hierarchy.losses);
    const fields = isMeant === undefined ? allFields : allFields.filter(isMeant);
    cache.set(this.#hierarchy, fields);
    return fields;
  }
}
