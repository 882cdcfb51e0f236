import { formatPointer, isJsonObject, type JsonValue } from '@policy-machinery/resource';
import { isEquivalent } from '../equivalent.ts';

/** A field that differs. */
export interface ChangedField {
  /** JSON Pointer to the field, from the root of the spec. */
  readonly pointer: string;
  /** The value before; `undefined` if the field was absent. */
  readonly before: JsonValue | undefined;
  /** The value after; `undefined` if the field is absent. */
  readonly after: JsonValue | undefined;
}

/**
 * Returns the fields where two specs differ. Objects are compared field by field, other values as a whole, as Patch merges.
 *
 * @param oldSpec A spec; `undefined` counts as an empty one.
 * @param newSpec The other.
 * @returns The fields, starting with the first spec's.
 */
export function changedFields(oldSpec: JsonValue | undefined, newSpec: JsonValue | undefined): readonly ChangedField[] {
  const fields: ChangedField[] = [];
  const visit = (old: JsonValue | undefined, young: JsonValue | undefined, path: readonly string[]): void => {
    const keys = keysWithin(old, young);
    if (keys === undefined) {
      if (!isEquivalent(old, young)) fields.push({ pointer: formatPointer(path), before: old, after: young });
      return;
    }
    for (const key of keys) visit(fieldOf(old, key), fieldOf(young, key), [...path, key]);
  };
  visit(oldSpec, newSpec, []);
  return fields;
}

/** Returns the keys of two objects, or of one if the other is absent; `undefined` for values that are compared as a whole. */
function keysWithin(a: JsonValue | undefined, b: JsonValue | undefined): ReadonlySet<string> | undefined {
  const values = [a, b].filter((value) => value !== undefined);
  if (!values.every(isJsonObject)) return undefined;
  const keys = new Set(values.flatMap((value) => Object.keys(value)));
  return keys.size === 0 ? undefined : keys;
}

function fieldOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
