import { isJsonObject, type JsonValue } from '@policy-machinery/resource';

/** Whether two JSON values are equal; the order of keys does not count. */
export function isDeepEqual(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, index) => isDeepEqual(item, b[index] as JsonValue))
    );
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isDeepEqual(a[key] as JsonValue, b[key] as JsonValue))
  );
}
