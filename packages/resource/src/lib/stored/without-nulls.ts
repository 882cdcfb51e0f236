import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/**
 * Returns an object without the fields that are `null`, also within lists: the API server drops them where no schema says otherwise.
 *
 * @param object Any object.
 * @returns The identical object if no field is `null`.
 */
export function withoutNulls(object: JsonObject): JsonObject {
  return dropNulls(object) as JsonObject;
}

function dropNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map(dropNulls);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value);
  const kept = fields.flatMap(([key, field]) => (field === null ? [] : [[key, dropNulls(field)] as const]));
  const isSame = kept.length === fields.length && kept.every(([key, field]) => field === value[key]);
  return isSame ? value : Object.fromEntries(kept);
}
