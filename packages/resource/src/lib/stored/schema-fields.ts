import { type JsonObject, objectIn } from '../json.ts';

/**
 * Returns the names of the fields that a structural schema has for the object at a place.
 *
 * @param schema The schema of the whole value.
 * @param path The keys and indexes that lead to the object.
 * @returns The names; none if the schema does not have such an object.
 */
export function fieldsAt(schema: JsonObject, path: readonly string[]): readonly string[] {
  const parent = path.reduce((node, key) => {
    const { properties, items, additionalProperties } = node;
    const property = Object.hasOwn(objectIn(properties), key) ? objectIn(properties)[key] : undefined;
    return objectIn(property ?? items ?? additionalProperties);
  }, schema);
  return Object.keys(objectIn(parent.properties));
}
