import type { JsonObject, JsonValue } from '@policy-machinery/resource';

/** What tells an item of a list from the others: the values of some of its fields. */
export function itemKey(item: JsonObject, keys: readonly string[]): string {
  return JSON.stringify(keys.map((field): JsonValue => item[field] ?? null));
}
