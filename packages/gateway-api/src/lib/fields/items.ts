import { isJsonObject, type JsonObject, stringIn } from '@policy-machinery/resource';

/**
 * The items of a list that may be no list. What is no object counts as an empty one, so that the places of the others, and
 * with them their names and JSON Pointers, are those in the resource.
 */
export function itemsOf(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return none;
  for (const item of value) if (!isJsonObject(item)) return Array.from(value, objectOrEmpty);
  return value;
}

function objectOrEmpty(item: unknown): JsonObject {
  return isJsonObject(item) ? item : {};
}

const none: readonly never[] = [];

/** The items of a list as sections, by the names that they carry. */
export function sectionsOf(
  value: unknown,
): readonly { readonly name: string | undefined; readonly value: JsonObject }[] {
  return itemsOf(value).map((item) => ({ name: stringIn(item.name), value: item }));
}
