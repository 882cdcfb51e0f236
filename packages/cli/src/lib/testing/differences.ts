import { formatPointer, isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';

/** A field that differs from the expected one. */
export interface Difference {
  readonly pointer: string;
  readonly want: JsonValue | undefined;
  readonly got: JsonValue | undefined;
}

/**
 * Returns the fields of a spec that differ from the expected ones. Objects are compared field by field, other values as a whole.
 *
 * @param want The expected fields.
 * @param got The spec.
 * @param isExact Whether the spec must not have other fields.
 * @returns The differences, differences in expected fields first.
 */
export function differences(want: JsonObject, got: JsonObject, isExact: boolean): readonly Difference[] {
  const found: Difference[] = [];
  const visit = (wanted: JsonValue | undefined, actual: JsonValue | undefined, path: readonly string[]): void => {
    if (isJsonObject(wanted) && isJsonObject(actual)) {
      const keys = isExact ? new Set([...Object.keys(wanted), ...Object.keys(actual)]) : Object.keys(wanted);
      for (const key of keys) visit(fieldOf(wanted, key), fieldOf(actual, key), [...path, key]);
    } else if (!isSame(wanted, actual)) {
      found.push({ pointer: formatPointer(path), want: wanted, got: actual });
    }
  };
  visit(want, got, []);
  return found;
}

function fieldOf(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns whether two values are equal. The order of fields does not count. */
function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
    );
  }
  return a === b;
}
