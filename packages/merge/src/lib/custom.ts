import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { Immer } from 'immer';
import { isDeepEqual } from './deep-equal.ts';
import {
  contributors,
  isLeaf,
  joinOrigins,
  type OriginLeaf,
  type Origins,
  originsOfField,
  type Traced,
} from './origins.ts';
import type { Combine, MergeStrategy } from './strategy.ts';

/** A spec that a recipe may change freely; the policy it came from stays as it is. */
export type Draft<Spec> = Spec extends readonly (infer Item)[]
  ? Draft<Item>[]
  : Spec extends object
    ? { -readonly [Key in keyof Spec]: Draft<Spec[Key]> }
    : Spec;

/**
 * Merges by changing a draft, or by returning a new spec. Written as for immer: the inputs never change.
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
 * A merge strategy of one's own (M-07). The origin of each field is found by comparing the result with both inputs: a
 * part that equals one of them comes from there, and what equals neither comes from both.
 *
 * @param recipes What to do with defaults, with overrides, or with both.
 * @returns The strategy.
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
    const run = (draft: unknown) => recipe(draft as Draft<Spec>, established.value as Spec);
    const value = immer.produce(challenger.value, run as (draft: JsonObject) => JsonObject);
    const inputs = preferred === 'challenger' ? [challenger, established] : [established, challenger];
    return { value, origins: compare(value, inputs) };
  };
}

type Input<Origin> = Traced<Origin, JsonValue>;

/** The origins of a result, path by path, from the inputs that have something at the same path. */
function compare<Origin>(value: JsonValue, inputs: readonly Input<Origin>[]): Origins<Origin> {
  const whole =
    inputs.find((input) => input.value === value) ?? inputs.find((input) => isDeepEqual(input.value, value));
  if (whole !== undefined) return whole.origins;
  if (!isJsonObject(value)) return { by: contributorsTo(value, inputs) };

  const fields = new Map<string, Origins<Origin>>();
  for (const [key, field] of Object.entries(value)) {
    const candidates = inputs.flatMap((input) => fieldOf(input, key));
    fields.set(key, compare(field, candidates.length > 0 ? candidates : inputs));
  }
  for (const input of inputs) {
    for (const [key, removal] of removalsIn(input)) if (!fields.has(key)) fields.set(key, removal);
  }
  return joinOrigins(fields, { by: contributorsTo(value, inputs) });
}

/** A list comes from everyone one of whose items is in it; anything else that is new, from all inputs. */
function contributorsTo<Origin>(value: JsonValue, inputs: readonly Input<Origin>[]): readonly Origin[] {
  const sharers = Array.isArray(value)
    ? inputs.filter((input) => Array.isArray(input.value) && value.some((item) => holds(input.value, item)))
    : [];
  return [...new Set((sharers.length > 0 ? sharers : inputs).flatMap((input) => contributors(input.origins)))];
}

function holds(list: JsonValue, item: JsonValue): boolean {
  return Array.isArray(list) && list.some((candidate) => isDeepEqual(candidate, item));
}

function fieldOf<Origin>({ value, origins }: Input<Origin>, key: string): Input<Origin>[] {
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return [];
  return [{ value: value[key] as JsonValue, origins: originsOfField(origins, key) as Origins<Origin> }];
}

function removalsIn<Origin>({ origins }: Input<Origin>): [string, OriginLeaf<Origin>][] {
  if (isLeaf(origins)) return [];
  return [...origins.fields].filter((entry): entry is [string, OriginLeaf<Origin>] => {
    return isLeaf(entry[1]) && entry[1].removed === true;
  });
}
