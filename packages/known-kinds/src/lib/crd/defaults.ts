import { isJsonObject, type JsonObject, type JsonValue, objectIn } from '@policy-machinery/resource';

/**
 * Returns a value with the defaults that the API server fills in before it validates.
 *
 * @param value A part of a resource.
 * @param schema Its structural schema.
 * @returns The value itself if nothing is filled in; otherwise a value that shares all other parts with it.
 */
export function withDefaults(value: JsonValue, schema: JsonObject): JsonValue {
  if (Array.isArray(value)) return mappedList(value, objectIn(schema.items));
  if (!isJsonObject(value)) return value;
  const properties = objectIn(schema.properties);
  const rest = objectIn(schema.additionalProperties);
  let filled: Record<string, JsonValue> | undefined;
  const set = (key: string, to: JsonValue): void => {
    filled ??= { ...value };
    Object.defineProperty(filled, key, { value: to, enumerable: true, configurable: true, writable: true });
  };
  for (const [key, field] of Object.entries(properties)) {
    const { default: preset } = objectIn(field);
    if (preset !== undefined && !Object.hasOwn(value, key)) set(key, withDefaults(preset, objectIn(field)));
  }
  for (const [key, inner] of Object.entries(value)) {
    const changed = withDefaults(inner, Object.hasOwn(properties, key) ? objectIn(properties[key]) : rest);
    if (changed !== inner) set(key, changed);
  }
  return filled ?? value;
}

function mappedList(list: readonly JsonValue[], items: JsonObject): readonly JsonValue[] {
  const filled = list.map((item) => withDefaults(item, items));
  return filled.some((item, index) => item !== list[index]) ? filled : list;
}
