/** A JSON value, read-only, as in manifests and answers of API servers. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object, read-only. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/**
 * Returns whether a value is a JSON object: neither `null`, nor an array, nor an instance of a class.
 *
 * @param value Anything.
 * @returns Whether its fields can be read by name.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Returns the objects in a value that should be a list, because manifests do not always fit their schema.
 *
 * @param value A field that should hold a list of objects.
 * @returns Its items that are objects; nothing if the value is not a list.
 * @example
 * ```ts
 * for (const rule of objectsIn(specOf(route).rules)) console.log(rule.name);
 * ```
 */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/**
 * Returns a value if it is an object, because manifests do not always fit their schema.
 *
 * @param value A field that should hold an object.
 * @returns The object; an empty one for anything else.
 */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/**
 * Returns a value if it is a string.
 *
 * @param value A field that should hold a string.
 * @returns The string; `undefined` for anything else.
 */
export function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns whether two JSON values are the same. The order of keys does not count. */
export function isSameJson(value: unknown, other: unknown): boolean {
  if (Object.is(value, other)) return true;
  if (Array.isArray(value) && Array.isArray(other)) {
    return value.length === other.length && value.every((item, index) => isSameJson(item, other[index]));
  }
  if (!isJsonObject(value) || !isJsonObject(other)) return false;
  const keys = Object.keys(value);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(value[key], other[key]))
  );
}
