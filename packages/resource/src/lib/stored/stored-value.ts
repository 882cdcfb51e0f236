import { isJsonObject, type JsonObject, type JsonValue, objectIn } from '../json.ts';
import { formatPointer } from '../json-pointer.ts';

/** A value as the API server stores it. */
export interface StoredValue<Value extends JsonValue = JsonValue> {
  /** The value. It is the identical one if the API server changes nothing, and otherwise shares all unchanged parts with it. */
  readonly value: Value;
  /** JSON Pointers to the fields that the schema does not name: they are dropped, unless the options keep them. */
  readonly unknown: readonly string[];
}

export interface StoringOptions {
  /** `kept` leaves the fields that the schema does not name in place, for a schema that may be of another release. Default `dropped`. */
  readonly unknownFields?: 'dropped' | 'kept' | undefined;
}

/** The fields of objects within others that the API server reads without a schema. */
const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

const embedded = 'x-kubernetes-embedded-resource';
const preserve = 'x-kubernetes-preserve-unknown-fields';

/**
 * Returns the function that stores values of a schema as the API server does: fields that the schema does not name are dropped, unless it preserves
 * them; `null` is dropped, or replaced by the default, unless the schema is `nullable`; missing fields get their defaults. Nothing is validated.
 *
 * @param schema The structural schema of a CustomResourceDefinition, or a part of one.
 * @param options Whether unknown fields are kept.
 * @returns The function. It takes a value of this schema, and never throws. O(size of the value, and of the defaults).
 */
export function storedBySchema(
  schema: JsonObject,
  { unknownFields = 'dropped' }: StoringOptions = {},
): <Value extends JsonValue>(value: Value) => StoredValue<Value> {
  const defaults = new Map<JsonObject, JsonValue>();
  const fields = new Map<JsonObject, readonly DefaultedField[]>();
  return <Value extends JsonValue>(value: Value) => {
    const unknown: string[] = [];
    return { value: stored(value, schema, [], { unknown, defaults, fields, unknownFields }) as Value, unknown };
  };
}

interface Storing extends Required<StoringOptions> {
  readonly unknown: string[];
  /** The default of each schema, with the defaults within it. */
  readonly defaults: Map<JsonObject, JsonValue>;
  /** The fields of each schema that have a default. */
  readonly fields: Map<JsonObject, readonly DefaultedField[]>;
}

type DefaultedField = readonly [key: string, schema: JsonObject];

type Path = readonly (string | number)[];

function stored(value: JsonValue, schema: JsonObject, path: Path, storing: Storing): JsonValue {
  if (Array.isArray(value)) return storedList(value, schema, path, storing);
  return isJsonObject(value) ? storedObject(value, schema, path, storing) : value;
}

function storedList(list: readonly JsonValue[], { items }: JsonObject, path: Path, storing: Storing): JsonValue {
  if (!isJsonObject(items)) return list;
  const kept = list.map((item, index) => {
    if (isDroppedNull(item, items) && items.default !== undefined) return defaultOf(items, storing);
    return stored(item, items, [...path, index], storing);
  });
  return kept.some((item, index) => item !== list[index]) ? kept : list;
}

function storedObject(object: JsonObject, schema: JsonObject, path: Path, storing: Storing): JsonValue {
  const properties = objectIn(schema.properties);
  const kept: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(object)) {
    const field = fieldOf(key, schema, properties);
    if (field === undefined) {
      storing.unknown.push(formatPointer([...path, key]));
      if (storing.unknownFields === 'kept') kept.push([key, value]);
    } else if (!isDroppedNull(value, field)) kept.push([key, stored(value, field, [...path, key], storing)]);
    else if (field.default !== undefined) kept.push([key, defaultOf(field, storing)]);
  }
  for (const [key, field] of defaultedFields(schema, storing)) {
    if (!Object.hasOwn(object, key)) kept.push([key, defaultOf(field, storing)]);
  }
  const isSame = kept.length === Object.keys(object).length && kept.every(([key, value]) => object[key] === value);
  return isSame ? object : Object.fromEntries(kept);
}

function defaultedFields(schema: JsonObject, { fields }: Storing): readonly DefaultedField[] {
  const knownFields = fields.get(schema);
  if (knownFields !== undefined) return knownFields;
  const fieldsWithDefaults = Object.entries(objectIn(schema.properties)).flatMap(
    ([key, field]): readonly DefaultedField[] =>
      objectIn(field).default === undefined ? [] : [[key, objectIn(field)]],
  );
  fields.set(schema, fieldsWithDefaults);
  return fieldsWithDefaults;
}

/** The schema of values that are kept unchanged. */
const anything: JsonObject = { nullable: true };

/** Returns the schema of a field; `undefined` if the API server drops the field. */
function fieldOf(key: string, schema: JsonObject, properties: JsonObject): JsonObject | undefined {
  if (schema[embedded] === true && metaFields.has(key)) return anything;
  if (Object.hasOwn(properties, key)) return objectIn(properties[key]);
  const { additionalProperties, type } = schema;
  if (isJsonObject(additionalProperties)) return additionalProperties;
  const isClosed = type === 'object' && schema[preserve] !== true && additionalProperties !== true;
  return isClosed ? undefined : anything;
}

function isDroppedNull(value: JsonValue, { nullable }: JsonObject): boolean {
  return value === null && nullable !== true;
}

function defaultOf(schema: JsonObject, storing: Storing): JsonValue {
  const knownDefault = storing.defaults.get(schema);
  if (knownDefault !== undefined) return knownDefault;
  const { default: written = null } = schema;
  const filled = stored(written, schema, [], { ...storing, unknown: [] });
  storing.defaults.set(schema, filled);
  return filled;
}
