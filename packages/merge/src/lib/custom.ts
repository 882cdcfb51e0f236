import { isJsonObject, type JsonObject } from '@policy-machinery/resource';
import { Immer } from 'immer';
import { compareOrigins } from './compare-origins.ts';
import type { Combine, MergeStrategy } from './strategy.ts';

/** A spec that a recipe may change freely; the policy it came from stays as it is. */
export type Draft<Spec> = Spec extends readonly (infer Item)[]
  ? Draft<Item>[]
  : Spec extends object
    ? { -readonly [Key in keyof Spec]: Draft<Spec[Key]> }
    : Spec;

/**
 * Merges by changing a draft, or by returning a new spec. Written as for immer: the inputs never change, even where their
 * parts are moved into the result.
 *
 * @param draft Starts as the challenger's spec.
 * @param established The spec of the policy that dictates the strategy.
 */
export type Recipe<Spec> = (draft: Draft<Spec>, established: Spec) => Spec | Draft<Spec> | undefined;

/** The parts of a custom strategy. At least one of them. */
export interface CustomStrategyOptions<Spec> {
  /** What to do with the defaults of the established policy. Without it the strategy does not support defaults. */
  readonly defaults?: Recipe<Spec>;
  /** What to do with the overrides of the established policy. Without it the strategy does not support overrides. */
  readonly overrides?: Recipe<Spec>;
}

/** Freezing is left off: it would freeze the policies that the caller handed in. */
const immer = new Immer({ autoFreeze: false });

/**
 * A merge strategy of one's own (M-07). The origin of each field is found by comparing the result with both inputs: what
 * equals one of them at the same path comes from there (from the prevailing side, if it equals both), and what equals
 * neither comes from both. A list comes from whoever brought its items.
 *
 * @param recipes What to do with defaults, with overrides, or with both.
 * @returns The strategy. It throws what a recipe throws, and a `TypeError` when a recipe returns no object.
 * @example
 * ```ts
 * const append = customStrategy<{ readonly headers: readonly string[] }>({
 *   defaults: (draft, established) => {
 *     draft.headers.push(...established.headers);
 *   },
 * });
 * ```
 */
export function customStrategy<Spec>(recipes: CustomStrategyOptions<Spec>): MergeStrategy {
  const { defaults, overrides } = recipes;
  return {
    granularity: 'Custom',
    ...(defaults === undefined ? {} : { defaults: combineBy(defaults, 'challenger') }),
    ...(overrides === undefined ? {} : { overrides: combineBy(overrides, 'established') }),
  };
}

function combineBy<Spec>(recipe: Recipe<Spec>, preferred: 'established' | 'challenger'): Combine {
  return (established, challenger) => {
    const value = run(recipe, established.value, challenger.value);
    const inputs = preferred === 'challenger' ? [challenger, established] : [established, challenger];
    return { value, origins: compareOrigins(value, inputs) };
  };
}

/** Both specs are drafts, so that a recipe that moves a part of one into the other cannot change either. */
function run<Spec>(recipe: Recipe<Spec>, established: JsonObject, challenger: JsonObject): JsonObject {
  const { result } = immer.produce({ established, result: challenger as unknown }, (draft) => {
    const returned = recipe(draft.result as Draft<Spec>, draft.established as Spec);
    if (returned !== undefined) draft.result = returned;
  });
  if (isJsonObject(result)) return result;
  throw new TypeError('The recipe of a custom strategy must change its draft, or return an object');
}
