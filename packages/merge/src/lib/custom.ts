import { isJsonObject, type JsonObject } from '@policy-machinery/resource';
import { Immer } from 'immer';
import { compareOrigins } from './compare-origins.ts';
import { lostChange } from './lost-change.ts';
import type { Combine, MergeStrategy } from './strategy.ts';

/** A spec that a recipe may change freely. Its policy does not change. */
export type Draft<Spec> = Spec extends readonly (infer Item)[]
  ? Draft<Item>[]
  : Spec extends object
    ? { -readonly [Key in keyof Spec]: Draft<Spec[Key]> }
    : Spec;

/**
 * Merges by changing a draft, or by returning a new spec. Written as for immer: the inputs never change, even if the result
 * contains parts of them.
 *
 * @param draft Starts as the challenger's spec.
 * @param established The spec of the policy that chooses the strategy.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: before TypeScript 6, a recipe without a return statement returns nothing but void.
export type Recipe<Spec> = (draft: Draft<Spec>, established: Spec) => Spec | Draft<Spec> | undefined | void;

/** The parts of a custom strategy. At least one of them. */
export interface CustomStrategyOptions<Spec> {
  /** How to merge the defaults of the established policy. Without this recipe, the strategy does not support defaults. */
  readonly defaults?: Recipe<Spec> | undefined;
  /** How to merge the overrides of the established policy. Without this recipe, the strategy does not support overrides. */
  readonly overrides?: Recipe<Spec> | undefined;
}

/** Without freezing, which would freeze the policies of the caller. */
const immer = new Immer({ autoFreeze: false });

/**
 * Returns your own merge strategy. The origin of each field is found by comparing the result with both inputs. A value
 * that equals one of them at the same path comes from that input (from the prevailing side if it equals both), and a value that
 * equals neither comes from both. A list comes from the inputs that its items come from, and from both if some item is missing. A field that the
 * recipe removes from the challenger's spec was removed by the established one.
 *
 * @param recipes How to merge defaults, overrides, or both.
 * @returns The strategy, for kinds with this spec. It throws the errors of a recipe, and a `TypeError` if a recipe does not return an object,
 * changes only the established spec, or returns a value that JSON cannot represent.
 * @example
 * ```ts
 * const append = customStrategy<{ readonly headers: readonly string[] }>({
 *   defaults: (draft, established) => {
 *     draft.headers.push(...established.headers);
 *   },
 * });
 * ```
 */
export function customStrategy<Spec>(recipes: CustomStrategyOptions<Spec>): MergeStrategy<Spec> {
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
    return { value, origins: compareOrigins(value, inputs, challenger) };
  };
}

/** Runs a recipe. Both specs are drafts, so a recipe that moves a part of one into the other cannot change either. */
function run<Spec>(recipe: Recipe<Spec>, established: JsonObject, challenger: JsonObject): JsonObject {
  const outcome = immer.produce({ established, result: challenger as unknown }, (draft) => {
    const returned = recipe(draft.result as Draft<Spec>, draft.established as Spec);
    if (returned !== undefined) draft.result = returned;
  });
  const { result } = outcome;
  if (!isJsonObject(result)) {
    throw new TypeError('The recipe of a custom strategy must change its draft, or return an object');
  }
  const lost = lostChange(established, outcome.established, result);
  if (lost === undefined) return result;
  const place = lost === '' ? '' : ` at ${lost}`;
  throw new TypeError(`The recipe changes the established spec${place}; change the draft, or return a new spec`);
}
