import { isJsonObject, type JsonObject, objectIn, stringIn } from '@policy-machinery/resource';

/**
 * Returns the items of a value that may not be a list. Items that are not objects count as empty ones, so that the indexes of others, and
 * with them their names and JSON Pointers, are those in the resource.
 */
export function itemsOf(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return none;
  for (const item of value) if (!isJsonObject(item)) return Array.from(value, objectIn);
  return value;
}

const none: readonly never[] = [];

/** Returns the items of a list as sections, with their names. */
export function sectionsOf(
  value: unknown,
): readonly { readonly name: string | undefined; readonly value: JsonObject }[] {
  return itemsOf(value).map((item) => ({ name: stringIn(item.name), value: item }));
}
