import {
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  objectIn,
  specOf,
  stringIn,
} from '@policy-machinery/resource';

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

/**
 * Returns the rules of a route.
 *
 * @param hasDefaultRule Whether the API server adds an empty rule to a route that sets none, as it does for HTTPRoutes.
 */
export function rulesOf(route: KubernetesObject, hasDefaultRule: boolean): readonly JsonObject[] {
  return itemsOf(specOf(route).rules ?? (hasDefaultRule ? [{}] : []));
}

export function sectionsOf(
  value: unknown,
): readonly { readonly name: string | undefined; readonly value: JsonObject }[] {
  return itemsOf(value).map((item) => ({ name: stringIn(item.name), value: item }));
}
