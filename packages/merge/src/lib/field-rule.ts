import type { JsonValue } from '@policy-machinery/resource';
import { interleave } from './interleave.ts';

/** What becomes of two values that meet at one path. */
export type Meeting =
  /** The prevailing value takes the place of the other, whole. */
  | 'replace'
  /** Objects are merged field by field; anything else is replaced. */
  | 'merge'
  | KeyedList
  | Combination;

/**
 * Lists of objects are merged item by item (M-17), in the order of Kubernetes' strategic merge patch: the items of the prevailing list
 * keep theirs, and each of the others comes before the first one that it was before in the yielding list.
 */
export interface KeyedList {
  /** The fields by which items are told apart. */
  readonly keys: readonly string[];
}

/** Both values make up a new one. */
export interface Combination {
  /** Makes the new value; with `undefined` the prevailing value takes the place of the other. */
  readonly combine: (prevailing: JsonValue, yielding: JsonValue) => JsonValue | undefined;
}

/** How values meet at one path, and beneath it. */
export interface FieldRule {
  readonly meeting: Meeting;
  /** Whether `null` in the prevailing value removes the field (RFC 7386). Else it is a value like others. */
  readonly nullRemoves: boolean;
  /** The rule for a field, or an item, of what is here. */
  readonly of: (key: string) => FieldRule;
}

/** Merges all objects, and lets `null` remove a field: RFC 7386. */
export const jsonMergePatch: FieldRule = { meeting: 'merge', nullRemoves: true, of: () => jsonMergePatch };

/** How many keys of a path lead to what is met as a whole: to where objects or keyed lists are no longer merged. */
export function unitLength(rule: FieldRule, path: readonly string[]): number {
  let at = rule;
  for (const [length, key] of path.entries()) {
    const isMerged = at.meeting === 'merge' || (typeof at.meeting === 'object' && 'keys' in at.meeting);
    if (!isMerged) return length;
    at = at.of(key);
  }
  return path.length;
}

/** Joins lists, the prevailing one first. */
export const append: Combination = {
  combine: (prevailing, yielding) =>
    Array.isArray(prevailing) && Array.isArray(yielding) ? [...prevailing, ...yielding] : undefined,
};

/**
 * Unites lists of scalars, as Kubernetes' strategic merge patch does: each scalar is there once, in the order of lists that are merged
 * by key. Lists that hold anything else are replaced.
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
 * @param separator What comes between them. Default a comma.
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
