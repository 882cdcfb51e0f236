import type { JsonObject, JsonValue } from '@policy-machinery/resource';

/** What tells an item of a list from the others: the values of some of its fields. */
export function itemKey(item: JsonObject, keys: readonly string[]): string {
  const only = keys.length === 1 ? item[keys[0] as string] : undefined;
  if (typeof only === 'string') return `"${only}`; // As most are: no list, as all others are written.
  return JSON.stringify(keys.map((field): JsonValue => item[field] ?? null));
}
