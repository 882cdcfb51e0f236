import { isJsonObject, type JsonObject, type JsonValue, parsePointer } from '@policy-machinery/resource';
import { isLeaf, joinOrigins, type Origins, originsOfField, type Traced } from './origins.ts';

/**
 * Leaves fields out of a spec, as if its policies had not set them. Unlike `removeFields`, this does not remove the fields from the
 * specs that it is merged with.
 *
 * @param traced The spec with its origins. It is not changed, and is returned if it has none of the fields.
 * @param pointers JSON Pointers to the fields (RFC 6901).
 * @returns The spec without the fields.
 * @throws {TypeError} If a pointer is malformed.
 */
export function omitFields<Origin>(traced: Traced<Origin>, ...pointers: readonly string[]): Traced<Origin> {
  return pointers.map(parsePointer).reduce(omitField, traced);
}

function omitField<Origin>(traced: Traced<Origin>, [key, ...rest]: readonly string[]): Traced<Origin> {
  const { value, origins } = traced;
  if (key === undefined || !Object.hasOwn(value, key)) return traced;
  const field = value[key] as JsonValue;
  if (rest.length === 0) return withField(traced, key, undefined);
  if (!isJsonObject(field)) return traced;
  const inner = omitField({ value: field, origins: originsOfField(origins, key) ?? origins }, rest);
  return inner.value === field ? traced : withField(traced, key, inner);
}

/** Returns a spec with another value of a field, or without the field. */
function withField<Origin>(
  { value, origins }: Traced<Origin>,
  key: string,
  field: Traced<Origin> | undefined,
): Traced<Origin> {
  const entries = Object.entries(value).flatMap(([name, fieldValue]): [string, JsonValue][] => {
    if (name !== key) return [[name, fieldValue]];
    return field === undefined ? [] : [[name, field.value]];
  });
  const result: JsonObject = Object.fromEntries(entries);
  if (isLeaf(origins)) return { value: result, origins };
  const fields = new Map<string, Origins<Origin>>(origins.fields);
  if (field === undefined) fields.delete(key);
  else fields.set(key, field.origins);
  return { value: result, origins: joinOrigins(fields, { fields }) };
}
