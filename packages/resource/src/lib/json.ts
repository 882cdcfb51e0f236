/** Any JSON value, read-only: what the API server serves and what manifests hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object, read-only. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/**
 * Tells whether a value is a JSON object: neither `null`, nor an array, nor an instance of a class.
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
 * The objects in a list that may not be a list: manifests are not always what their schema says.
 *
 * @param value A field that should hold a list of objects.
 * @returns Its items that are objects; nothing for anything but a list.
 * @example
 * ```ts
 * for (const rule of objectsIn(route.spec?.rules)) console.log(rule.name);
 * ```
 */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/**
 * A text that may be none.
 *
 * @param value A field that should hold a string.
 * @returns The string; `undefined` for anything else.
 */
export function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
