import { formatPointer, isJsonObject, type JsonObject, type JsonValue, parsePointer } from '@policy-machinery/resource';
import { checkDepth } from './depth.ts';
import { isLeaf, type OriginLeaf, type Origins, originsOfField, type Traced } from './origins.ts';

/** A field and who set it. */
export interface FieldOrigin<Origin> {
  /** JSON Pointer to the field; `''` for the whole value. */
  readonly pointer: string;
  readonly by: readonly Origin[];
  /** The field is absent because this origin removed it. */
  readonly removed: boolean;
}

/**
 * Returns who set the field at a pointer.
 *
 * @param origins The origins of the whole value.
 * @param pointer JSON Pointer to the field (RFC 6901).
 * @returns All origins that set or removed a part of it, in the order of its fields. Below a subtree of one origin, the result
 * is that origin, whether or not the value has the field. The result is empty if no origin set the field.
 * @throws {TypeError} If the pointer is malformed.
 */
export function originsAt<Origin>(origins: Origins<Origin>, pointer: string): readonly Origin[] {
  let part: Origins<Origin> | undefined = origins;
  for (const key of parsePointer(pointer)) {
    if (part === undefined || isLeaf(part)) break;
    part = part.fields.get(key);
  }
  return part === undefined ? [] : contributors(part);
}

/**
 * Returns all origins that set a part of a value, including those that only removed a field.
 *
 * @param origins The origins of the value.
 * @returns Each origin once, in the order of the fields. O(maximal subtrees).
 */
export function contributors<Origin>(origins: Origins<Origin>): readonly Origin[] {
  if (isLeaf(origins)) return origins.by;
  const allOrigins = new Set<Origin>();
  const visit = (part: Origins<Origin>): void => {
    if (isLeaf(part)) for (const origin of part.by) allOrigins.add(origin);
    else for (const field of part.fields.values()) visit(field);
  };
  visit(origins);
  return [...allOrigins];
}

/**
 * Lists the largest subtrees of a value that have the same origin.
 *
 * @param origins The origins of the value.
 * @returns One entry for each subtree, in the order of the fields.
 */
export function listOrigins<Origin>(origins: Origins<Origin>): readonly FieldOrigin<Origin>[] {
  const list: FieldOrigin<Origin>[] = [];
  visitOrigins(origins, ({ by, removed }, pointer) => list.push({ pointer, by, removed: removed === true }));
  return list;
}

/**
 * Visits the largest subtrees of a value, as {@link listOrigins} lists them, without creating a list.
 *
 * @param origins The origins of the value.
 * @param visit Called for each subtree, with its origin and its place.
 * @param pointer JSON Pointer to the value. Default the root.
 */
export function visitOrigins<Origin>(
  origins: Origins<Origin>,
  visit: (leaf: OriginLeaf<Origin>, pointer: string) => void,
  pointer = '',
): void {
  if (isLeaf(origins)) visit(origins, pointer);
  else for (const [key, field] of origins.fields) visitOrigins(field, visit, pointer + formatPointer([key]));
}

/**
 * Lists the innermost fields of a value (a scalar, a list from one origin, an empty object) with their origins, and each
 * removed field. An object that removals emptied is represented only by these removals.
 *
 * @param traced A value with its origins.
 * @returns One entry for each such field, with removed ones at the end of their object.
 * @throws {PolicyMachineryError} `too-deep`, if the value is nested more than 500 levels deep.
 */
export function listFields<Origin>(traced: Traced<Origin>): readonly (FieldOrigin<Origin> & { value?: JsonValue })[] {
  const list: (FieldOrigin<Origin> & { value?: JsonValue })[] = [];
  const visit = (value: JsonValue, origins: Origins<Origin>, path: readonly string[]): void => {
    checkDepth(path.length);
    const isWhole = isJsonObject(value) ? Object.keys(value).length === 0 : !Array.isArray(value) || isLeaf(origins);
    if (isWhole) {
      if (isLeaf(origins)) list.push({ pointer: formatPointer(path), by: origins.by, removed: false, value });
    } else {
      for (const [key, field] of Object.entries(value as JsonObject)) {
        const fieldOrigins = originsOfField(origins, key);
        if (fieldOrigins !== undefined) visit(field, fieldOrigins, [...path, key]);
      }
    }
    if (isLeaf(origins)) return;
    for (const [key, fieldOrigins] of origins.fields) {
      if (isLeaf(fieldOrigins) && fieldOrigins.removed)
        list.push({ pointer: formatPointer([...path, key]), by: fieldOrigins.by, removed: true });
    }
  };
  visit(traced.value, traced.origins, []);
  return list;
}
