import type { JsonValue } from '@policy-machinery/resource';
import { interleave } from './interleave.ts';

/** How two values at one path are merged. */
export type FieldStrategy =
  /** The prevailing value replaces the other as a whole. */
  | 'replace'
  /** Objects are merged field by field; anything else is replaced. */
  | 'merge'
  | KeyedList
  | Combination;

/**
 * Lists of objects are merged item by item, in the order of Kubernetes' strategic merge patch: the items of the
 * prevailing list keep their order, and each other item comes before the first item that it preceded in the yielding list.
 */
export interface KeyedList {
  /** The fields that identify items. */
  readonly keys: readonly string[];
}

/** Both values are combined into a new one. */
export interface Combination {
  /** Returns the new value, or `undefined` if the prevailing value replaces the other. */
  readonly combine: (prevailing: JsonValue, yielding: JsonValue) => JsonValue | undefined;
}

/** The merge rules at one path and below it. */
export interface FieldRule {
  readonly strategy: FieldStrategy;
  /** Whether `null` in the prevailing value removes the field (RFC 7386). Otherwise `null` is a value like others. */
  readonly nullRemoves: boolean;
  /** Returns the rule for a field or an item of the value here. */
  readonly of: (key: string) => FieldRule;
}

/** Merges all objects, and lets `null` remove a field: RFC 7386. */
export const jsonMergePatch: FieldRule = { strategy: 'merge', nullRemoves: true, of: () => jsonMergePatch };

/** Returns how many keys of a path lead to the value that is merged as a whole: where objects or keyed lists are no longer merged. */
export function unitLength(rule: FieldRule, path: readonly string[]): number {
  let pathRule = rule;
  for (const [length, key] of path.entries()) {
    const isMerged =
      pathRule.strategy === 'merge' || (typeof pathRule.strategy === 'object' && 'keys' in pathRule.strategy);
    if (!isMerged) return length;
    pathRule = pathRule.of(key);
  }
  return path.length;
}

/** Joins lists, the prevailing one first. */
export const append: Combination = {
  combine: (prevailing, yielding) =>
    Array.isArray(prevailing) && Array.isArray(yielding) ? [...prevailing, ...yielding] : undefined,
};

/**
 * Unites lists of scalars, as Kubernetes' strategic merge patch does: each scalar occurs once, in the order of lists merged by
 * key. Lists with other items are replaced.
 */
export const union: Combination = {
  combine: (prevailing, yielding) =>
    isScalars(prevailing) && isScalars(yielding) ? [...interleave(new Set(yielding), prevailing)] : undefined,
};

function isScalars(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
}

/**
 * Joins texts, the prevailing one first.
 *
 * @param separator The text between them. Default a comma.
 * @returns The combination.
 */
export function appendText(separator = ','): Combination {
  return {
    combine: (prevailing, yielding) =>
      typeof prevailing === 'string' && typeof yielding === 'string'
        ? `${prevailing}${separator}${yielding}`
        : undefined,
  };
}
