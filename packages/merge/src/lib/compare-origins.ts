import { formatPointer, isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { equalityKey, isDeepEqual } from './deep-equal.ts';
import { checkDepth } from './depth.ts';
import { contributors } from './origin-queries.ts';
import { isLeaf, joinOrigins, type OriginLeaf, type Origins, originsOfField, type Traced } from './origins.ts';

/** The value of one input of a merge at some path, or `undefined` and the origins of the value above. */
interface Side<Origin> {
  readonly value: JsonValue | undefined;
  readonly origins: Origins<Origin>;
  /** Whether the result began as this input, so that fields that it lacks were removed. */
  readonly isDraft: boolean;
}

/**
 * Finds who set each field in the result of a merge by comparing it with the inputs, path by path: a value that equals an input
 * comes from that input, and a value that equals none comes from all. A field that the result lacks of its draft was removed by the other inputs.
 *
 * @param result The result of the merge.
 * @param inputs The inputs of the merge. If the result equals several, the first one counts.
 * @param draft The input that the result began as.
 * @throws {PolicyMachineryError} `too-deep`, if the result is nested more than 500 levels deep where it differs.
 * @throws {TypeError} If the result contains a value that JSON cannot represent, such as `Infinity`.
 */
export function compareOrigins<Origin>(
  result: JsonObject,
  inputs: readonly Traced<Origin>[],
  draft: Traced<Origin>,
): Origins<Origin> {
  const sides = inputs.map((input) => ({ ...input, isDraft: input === draft }));
  return compare(result, sides, []);
}

function compare<Origin>(value: JsonValue, sides: readonly Side<Origin>[], path: readonly string[]): Origins<Origin> {
  checkDepth(path.length);
  const same = sides.find((side) => side.value === value) ?? sides.find((side) => isSameLeaf(side.value, value));
  if (same !== undefined && !sides.some((side) => side !== same && holdsRemoval(side.origins))) return same.origins;
  if (!isJsonObject(value)) {
    refuseOtherThanJson(value, path);
    return { by: Array.isArray(value) ? sourcesOfItems(value, sides) : everyone(sides) };
  }

  const absent = sides.map(
    ({ origins, isDraft }): Side<Origin> => ({ value: undefined, origins: { by: contributors(origins) }, isDraft }),
  );
  const fields = new Map<string, Origins<Origin>>();
  for (const [key, field] of Object.entries(value)) {
    const fieldSides = sides.map((side, index) => fieldOf(side, key) ?? (absent[index] as Side<Origin>));
    fields.set(key, compare(field, fieldSides, [...path, key]));
  }
  for (const side of sides) {
    for (const [key, removal] of removalsIn(side)) if (!fields.has(key)) fields.set(key, removal);
  }
  for (const key of removedFrom(value, sides)) {
    const others = sides.filter(({ isDraft }) => !isDraft).map((side) => fieldOf(side, key) ?? side);
    if (!fields.has(key)) fields.set(key, { by: everyone(others), removed: true });
  }
  const empty = sides.find((side) => isJsonObject(side.value) && Object.keys(side.value).length === 0);
  return joinOrigins(fields, empty?.origins ?? { by: everyone(sides) });
}

/** Refuses a value that JSON cannot represent, also in a list. A field that is `undefined` counts as absent. */
function refuseOtherThanJson(value: unknown, path: readonly string[]): void {
  checkDepth(path.length);
  if (Array.isArray(value) || isJsonObject(value)) {
    for (const [key, part] of Object.entries(value)) refuseOtherThanJson(part, [...path, key]);
    return;
  }
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return;
  if (Number.isFinite(value)) return;
  const type = typeof value === 'number' ? String(value) : `a ${typeof value} that is not JSON`;
  throw new TypeError(`The recipe sets ${formatPointer(path)} to ${type}; set a JSON value, or delete the field`);
}

/** Returns whether two leaves are equal. Objects are compared field by field instead. */
function isSameLeaf(a: JsonValue | undefined, b: JsonValue): boolean {
  return a !== undefined && !isJsonObject(b) && isDeepEqual(a, b);
}

function everyone<Origin>(sides: readonly Side<Origin>[]): readonly Origin[] {
  return [...new Set(sides.flatMap((side) => contributors(side.origins)))];
}

/** Returns the fields of the draft that the result lacks. */
function removedFrom<Origin>(result: JsonObject, sides: readonly Side<Origin>[]): readonly string[] {
  const draft = sides.find(({ isDraft }) => isDraft)?.value;
  return isJsonObject(draft) ? Object.keys(draft).filter((key) => !Object.hasOwn(result, key)) : [];
}

/**
 * Returns the sources of a list as a whole: every input with one of its items. All inputs, if an item is new, or an item of an input is missing: who
 * removed it has an influence, although none of its values is left.
 */
function sourcesOfItems<Origin>(list: readonly JsonValue[], sides: readonly Side<Origin>[]): readonly Origin[] {
  const itemKeys = sides.map(
    ({ value }) => new Set(Array.isArray(value) ? value.map((item) => equalityKey(item)) : []),
  );
  const items = new Set(list.map((item) => equalityKey(item)));
  const sources = new Set(Array.from(items, (key) => itemKeys.findIndex((keys) => keys.has(key))));
  const isAllKept = itemKeys.every((keys) => [...keys].every((key) => items.has(key)));
  const isAllKnown = sources.size > 0 && !sources.has(-1);
  return everyone(isAllKnown && isAllKept ? sides.filter((_, index) => sources.has(index)) : sides);
}

function fieldOf<Origin>({ value, origins, isDraft }: Side<Origin>, key: string): Side<Origin> | undefined {
  const fieldOrigins = isJsonObject(value) ? originsOfField(origins, key) : undefined;
  if (fieldOrigins === undefined) return undefined;
  const isThere = Object.hasOwn(value as JsonObject, key);
  if (!isThere && isLeaf(origins)) return undefined;
  return { value: isThere ? (value as JsonObject)[key] : undefined, origins: fieldOrigins, isDraft };
}

/** Returns whether a side that the result does not follow has removed something that must stay removed. */
function holdsRemoval<Origin>(origins: Origins<Origin>): boolean {
  return isLeaf(origins) ? origins.removed === true : [...origins.fields.values()].some(holdsRemoval);
}

function removalsIn<Origin>({ value, origins }: Side<Origin>): [string, OriginLeaf<Origin>][] {
  if (!isJsonObject(value) || isLeaf(origins)) return [];
  return [...origins.fields].filter((entry): entry is [string, OriginLeaf<Origin>] => {
    return isLeaf(entry[1]) && entry[1].removed === true;
  });
}
