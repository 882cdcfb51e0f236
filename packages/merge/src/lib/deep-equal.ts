import { isJsonObject, type JsonValue } from '@policy-machinery/resource';
import { checkDepth } from './depth.ts';

/** Returns whether two JSON values are equal. The order of keys does not count. */
export function isDeepEqual(a: JsonValue, b: JsonValue, depth = 0): boolean {
  if (a === b) return true;
  checkDepth(depth);
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => isDeepEqual(item, b[index] as JsonValue, depth + 1))
    );
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isDeepEqual(a[key] as JsonValue, b[key] as JsonValue, depth + 1))
  );
}

/** Returns a text that is the same for two JSON values if and only if they are equal, for lookups. */
export function equalityKey(value: JsonValue, depth = 0): string {
  checkDepth(depth);
  if (Array.isArray(value)) return `[${value.map((item) => equalityKey(item, depth + 1)).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${equalityKey(value[key] as JsonValue, depth + 1)}`).join()}}`;
}
