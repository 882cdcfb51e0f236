import { formatPointer, isJsonObject, type JsonObject, type JsonValue, parsePointer } from '@policy-machinery/resource';
import { checkDepth } from './depth.ts';
import { itemKey } from './item-key.ts';
import { contributors, type FieldOrigin } from './origin-queries.ts';
import { isLeaf, type Origins, originsOfField, type Traced } from './origins.ts';

type Anything<Origin> = Traced<Origin, JsonValue>;

/** A field of one side of a merge, with the value at its place in the result. */
export interface AlignedField<Origin> extends Omit<FieldOrigin<Origin>, 'pointer'> {
  /** The place of the field in the result. Changes after the visit. */
  readonly path: readonly string[];
  /** `undefined` for a removed field. */
  readonly value: JsonValue | undefined;
  /** The value that the result has there. */
  readonly result: JsonValue | undefined;
  /** The origin of the value in the result. */
  readonly resultBy: Origins<Origin> | undefined;
}

/**
 * Visits the innermost fields of one side of a merge, and the removed ones, with their places in the result. A list is one
 * field, unless the result has merged it by key; then each item is at the place of its key, and its key is not its own field.
 *
 * @param side One side of a merge.
 * @param result The result of the merge.
 * @param visit Called for each field. O(fields of both) in total.
 * @param pass Called instead for whole parts that the result has unchanged, with their origins and places. Default: there are
 * none.
 * @throws {PolicyMachineryError} `too-deep`, if the side is nested more than 500 levels deep.
 */
export function visitFields<Origin>(
  side: Traced<Origin>,
  result: Traced<Origin>,
  visit: (field: AlignedField<Origin>) => void,
  pass?: (origins: Origins<Origin>, path: readonly string[]) => void,
): void {
  const placeOf = itemPlaces();
  const path: string[] = [];
  const go = (
    value: JsonValue,
    origins: Origins<Origin>,
    merged: JsonValue | undefined,
    mergedBy?: Origins<Origin>,
    itemKeys: readonly string[] = none,
  ) => {
    checkDepth(path.length);
    if (pass !== undefined && value === merged && origins === mergedBy) return pass(origins, path);
    const keys = keysOf(value);
    const places = Array.isArray(value) ? itemsPlaced(value, merged, mergedBy, placeOf) : keys;
    if (places === undefined || (places.length === 0 && isLeaf(origins))) {
      visit({ path, by: contributors(origins), removed: false, value, result: merged, resultBy: mergedBy });
    }
    const isOnlyKey = keys?.every((key) => itemKeys.includes(key));
    const keysBelow = mergedBy === undefined || isLeaf(mergedBy) ? none : mergedBy.keys;
    let index = 0;
    for (const place of places ?? none) {
      const key = keys?.[index] ?? String(index);
      index += 1;
      if (!isOnlyKey && itemKeys.includes(key)) continue; // Both sides have it.
      const child = childOf(value, key);
      const childBy = originsOfField(origins, key);
      if (child === undefined || childBy === undefined) continue;
      path.push(place);
      go(child, childBy, childOf(merged, place), mergedBy && originsOfField(mergedBy, place), keysBelow);
      path.pop();
    }
    for (const [key, by] of keys ? removalsIn(origins) : none) {
      const childMergedBy = mergedBy && originsOfField(mergedBy, key);
      path.push(key);
      visit({ path, by, removed: true, value: undefined, result: childOf(merged, key), resultBy: childMergedBy });
      path.pop();
    }
  };
  go(side.value, side.origins, result.value, result.origins);
}

/**
 * Returns where fields of one result are in a later one: items of lists merged by key are at the place of their key.
 *
 * @param pointers JSON Pointers to the fields.
 * @param from The earlier result.
 * @param to The later result.
 * @returns JSON Pointers to the fields in the later result, or to the list around a field if the list does not have its item.
 */
export function pointersIn<Origin>(
  pointers: readonly string[],
  from: Traced<Origin>,
  to: Traced<Origin>,
): readonly string[] {
  const placeOf = itemPlaces();
  const translate = (pointer: string): string => {
    const path: string[] = [];
    let earlier: JsonValue | undefined = from.value;
    let later: Anything<Origin> | undefined = to;
    for (const key of parsePointer(pointer)) {
      const isMoved: boolean = Array.isArray(earlier) && earlier !== later?.value;
      earlier = childOf(earlier, key);
      const place: string | undefined = isMoved ? placeOf(earlier, later) : key;
      if (place === undefined) break;
      path.push(place);
      later = later === undefined ? undefined : fieldAt(later, place);
    }
    return formatPointer(path);
  };
  return pointers.map((pointer) => (/\/\d/.test(pointer) ? translate(pointer) : pointer));
}

const none: readonly never[] = [];

/** Returns the removed fields of a part, and their origins. */
function removalsIn<Origin>(origins: Origins<Origin>): readonly (readonly [string, readonly Origin[]])[] {
  if (isLeaf(origins)) return none;
  return [...origins.fields].flatMap(([key, by]) => (isLeaf(by) && by.removed ? [[key, by.by] as const] : []));
}

/** Returns the keys of an object, which are their places in the result as well; `undefined` for any other value. */
function keysOf(value: JsonValue): readonly string[] | undefined {
  return isJsonObject(value) ? Object.keys(value) : undefined;
}

/** Returns the places of the items of a list in the result; `undefined` for a list that is one field. */
function itemsPlaced<Origin>(
  list: readonly JsonValue[],
  result: JsonValue | undefined,
  resultBy: Origins<Origin> | undefined,
  placeOf: ReturnType<typeof itemPlaces>,
): readonly string[] | undefined {
  if (result === undefined || resultBy === undefined) return undefined;
  const merged = { value: result, origins: resultBy };
  const places: string[] = [];
  for (const item of list) {
    const place = placeOf(item, merged);
    if (place === undefined) return undefined;
    places.push(place);
  }
  return places.length > 0 ? places : undefined;
}

/** Finds the index of an item in a list merged by key. Visits each list once. */
function itemPlaces() {
  let indexes: Map<unknown, ReadonlyMap<string, string>> | undefined;
  return <Origin>(item: JsonValue | undefined, list: Anything<Origin> | undefined): string | undefined => {
    if (list === undefined || isLeaf(list.origins) || !Array.isArray(list.value)) return undefined;
    const { keys } = list.origins;
    if (keys === undefined || !isJsonObject(item)) return undefined;
    indexes ??= new Map();
    const index = indexes.get(list.value) ?? placesByKey(list.value, keys);
    indexes.set(list.value, index);
    return index.get(itemKey(item, keys));
  };
}

function placesByKey(list: readonly JsonValue[], keys: readonly string[]): ReadonlyMap<string, string> {
  return new Map(list.map((item, index) => [isJsonObject(item) ? itemKey(item, keys) : '', String(index)]));
}

function fieldAt<Origin>({ value, origins }: Anything<Origin>, key: string): Anything<Origin> | undefined {
  const field = childOf(value, key);
  const fieldOrigins = originsOfField(origins, key);
  return field === undefined || fieldOrigins === undefined ? undefined : { value: field, origins: fieldOrigins };
}

function childOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  if (key === 'length' && Array.isArray(value)) return undefined;
  return (value as JsonObject)[key];
}
