import { listFields, listOrigins, originsAt } from '@policy-machinery/merge';
import { type Issue, type JsonValue, parsePointer } from '@policy-machinery/resource';
import type { Path, PathOptions, TargetNode } from '@policy-machinery/topology';
import type { Contexts } from './contexts.ts';
import { layOut, type PlacedLayer } from './layout.ts';
import { type Loss, lossesOf } from './losses.ts';
import type { Reduced, reducers } from './reduce.ts';
import { type Level, levelsOf, type Stack } from './stack.ts';

/** How one policy kind's contexts are reduced. */
export type ContextReducer = (typeof reducers)['bottom-up'];

/** Where a context is. */
export interface ContextPlace<Spec> {
  readonly contexts: Contexts<Spec>;
  readonly target: TargetNode;
  readonly stack: Stack<Spec>;
  readonly pathCount: bigint;
}

/** A target as it is reached with one set of policies on the way. */
export class Context<Spec> {
  /** The effective target. */
  readonly target: TargetNode;
  /** How many paths come upon the target in this context. */
  readonly pathCount: bigint;
  readonly #contexts: Contexts<Spec>;
  readonly #stack: Stack<Spec>;

  /** @private Made by `effectivePolicies`. */
  constructor({ contexts, target, stack, pathCount }: ContextPlace<Spec>) {
    this.#contexts = contexts;
    this.target = target;
    this.#stack = stack;
    this.pathCount = pathCount;
  }

  /** The targets on the way that have policies, least specific first. */
  get levels(): readonly Level<Spec>[] {
    return levelsOf(this.#stack);
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

/** A field of an effective policy: its value, who set it, and over whom. */
export interface EffectiveField<Spec> {
  /** JSON Pointer to the field, from the root of the spec. */
  readonly pointer: string;
  /** The value; `undefined` for a field that a patch removed. */
  readonly value: JsonValue | undefined;
  /** Who set it, or removed it: as a rule one layer, several where a strategy combined their values. */
  readonly by: readonly PlacedLayer<Spec>[];
  /** Who would have set it. */
  readonly over: readonly Loss<Spec>[];
}

/** The policy that finally applies to a target in one context. */
export class EffectivePolicy<Spec> extends Context<Spec> {
  /** The levels of the context, and beneath them what the target says itself. */
  readonly #merged: Stack<Spec>;
  readonly #results: EffectiveResults<Spec>;

  /** @private Made by `effectivePolicies`. */
  constructor(place: ContextPlace<Spec>, merged: Stack<Spec>, results: EffectiveResults<Spec>) {
    super(place);
    this.#merged = merged;
    this.#results = results;
  }

  /** The effective spec. Shares its parts with the policies: do not change it. Computed once for all equal contexts. */
  get spec(): Spec {
    return this.#results.of(this.#merged).spec.value as Spec;
  }

  /** The layers of this context in the order in which they were merged: the most specific first. */
  get layers(): readonly PlacedLayer<Spec>[] {
    return layersOf(this.#merged);
  }

  /** Layers that had to be left out, because their merge strategy failed. */
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
    return originsAt(this.#results.of(this.#merged).spec.origins, pointer);
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
    return listOrigins(this.#results.of(this.#merged).spec.origins);
  }

  /** What lost, to whom and by which rule. Merges the context anew. */
  get losses(): readonly Loss<Spec>[] {
    return this.#results.lossesOf(this.#merged);
  }

  /** Every field with its value, who set it and over whom. Merges the context anew. */
  get fields(): readonly EffectiveField<Spec>[] {
    const { losses } = this;
    return listFields(this.#results.of(this.#merged).spec).map(({ pointer, value, by }) => ({
      pointer,
      value,
      by,
      over: losses.filter((loss) => isContested(loss, pointer)),
    }));
  }
}

/** Whether a loss was about this field, or about something in which the loser had this field. */
function isContested<Spec>({ layer, pointer: lost }: Loss<Spec>, pointer: string): boolean {
  if (lost !== '') return lost === pointer || pointer.startsWith(`${lost}/`) || lost.startsWith(`${pointer}/`);
  let value: unknown = layer.layer.spec;
  for (const key of parsePointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Record<string, unknown>)[key];
  }
  return true;
}

/** What each distinct stack came to, computed when first asked for. */
export class EffectiveResults<Spec> {
  readonly #reduce: ContextReducer;
  readonly #results = new Map<Stack<Spec>, Reduced<Spec>>();

  constructor(reduce: ContextReducer) {
    this.#reduce = reduce;
  }

  of(stack: Stack<Spec>): Reduced<Spec> {
    const known = this.#results.get(stack);
    if (known !== undefined) return known;
    const reduced = this.#reduce(layersOf(stack));
    this.#results.set(stack, reduced);
    return reduced;
  }

  lossesOf(stack: Stack<Spec>): readonly Loss<Spec>[] {
    const losses: Loss<Spec>[] = [];
    this.#reduce(layersOf(stack), (step) => losses.push(...lossesOf(step)));
    return losses;
  }
}

function layersOf<Spec>(stack: Stack<Spec>): readonly [PlacedLayer<Spec>, ...PlacedLayer<Spec>[]] {
  return layOut(levelsOf(stack)) as unknown as readonly [PlacedLayer<Spec>, ...PlacedLayer<Spec>[]];
}
