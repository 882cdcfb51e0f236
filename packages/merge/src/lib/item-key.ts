import type { JsonObject, JsonValue } from '@policy-machinery/resource';

/** Returns the key of a list item: the values of some of its fields. */
export function itemKey(item: JsonObject, keys: readonly string[]): string {
  const only = keys.length === 1 ? item[keys[0] as string] : undefined;
  if (typeof only === 'string') return `"${only}`; // The usual case. It cannot be confused with the others, which are lists.
  return JSON.stringify(keys.map((field): JsonValue => item[field] ?? null));
}
