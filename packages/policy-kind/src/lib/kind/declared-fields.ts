import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/** One place of a JSON Schema: the schemas that describe it together, such as the branches of a union. */
export type DeclaredPlace = readonly JsonObject[];

/** The fields that a schema declares, as far as it has the extension Standard JSON Schema. */
export class DeclaredFields {
  /** The spec itself; `undefined` if the schema does not declare its fields. */
  readonly spec: DeclaredPlace | undefined;
  readonly #root: JsonObject;

  constructor(schema: StandardSchemaV1) {
    const declared = inputOf(schema);
    this.#root = declared ?? {};
    this.spec = declared && this.#resolved(declared);
  }

  namesAt(place: DeclaredPlace): readonly string[] {
    return [...new Set(place.flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : [])))];
  }

  /**
   * Returns the place of a field or item.
   *
   * @param key The name of a field, an index, or `*` for any.
   * @returns `'missing'` if no value can have the field; `'open'` if the schema does not describe it.
   */
  below(place: DeclaredPlace, key: string): DeclaredPlace | 'missing' | 'open' {
    const schemas = place.flatMap((schema) => belowIn(schema, key));
    if (schemas.includes(true)) return 'open';
    const described = schemas.filter(isJsonObject).flatMap((schema) => this.#resolved(schema));
    return described.length === 0 ? 'missing' : described;
  }

  /** Returns a schema without references and unions: all that may describe a value. A schema that contains itself is followed once. */
  #resolved(schema: JsonObject, within: readonly JsonObject[] = []): DeclaredPlace {
    if (within.includes(schema)) return [];
    const inside = [...within, schema];
    const { $ref, anyOf, oneOf, allOf } = schema;
    const others = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
    const referred = typeof $ref === 'string' ? this.#referred($ref) : undefined;
    const parts = referred === undefined ? others : [referred, ...others];
    return [schema, ...parts.flatMap((part) => this.#resolved(part, inside))];
  }

  #referred(reference: string): JsonObject | undefined {
    const schema = reference.startsWith('#') ? valueAt(this.#root, reference.slice(1)) : undefined;
    return isJsonObject(schema) ? schema : undefined;
  }
}

/** Returns whether a place has only scalars and lists: it does not have fields that could be merged one by one. */
export function isWhole(place: DeclaredPlace): boolean {
  return place.every(({ properties, additionalProperties }) => {
    return !isJsonObject(properties) && !isJsonObject(additionalProperties) && additionalProperties !== true;
  });
}

function inputOf(schema: StandardSchemaV1): JsonObject | undefined {
  const standard: StandardSchemaV1.Props & Partial<Pick<StandardJSONSchemaV1.Props, 'jsonSchema'>> =
    schema['~standard'];
  try {
    const declared = standard.jsonSchema?.input({ target: 'draft-2020-12' });
    return isJsonObject(declared) ? declared : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the schemas of one field of a value; `true` for a field of any content. */
function belowIn(schema: JsonObject, key: string): readonly (JsonValue | true)[] {
  const { type, properties, additionalProperties, items, prefixItems, patternProperties } = schema;
  const fields = isJsonObject(properties) ? properties : {};
  if (key === '*') return [...Object.values(fields), ...otherFields(additionalProperties), ...otherFields(items)];
  if (Object.hasOwn(fields, key)) return [fields[key] ?? true];
  const isOpen = prefixItems !== undefined || patternProperties !== undefined || hasNoShape(schema);
  const listed = /^\d+$/.test(key) ? otherFields(items) : [];
  return isOpen && type !== 'string' ? [true] : [...otherFields(additionalProperties), ...listed];
}

function otherFields(schema: JsonValue | undefined): readonly (JsonValue | true)[] {
  if (schema === true) return [true];
  if (!isJsonObject(schema)) return [];
  return Object.keys(schema).length === 0 ? [true] : [schema];
}

const shapes = [
  'type',
  'enum',
  'const',
  'properties',
  'items',
  'additionalProperties',
  '$ref',
  'anyOf',
  'oneOf',
  'allOf',
];

/** Returns whether a schema describes nothing, so that it accepts any value. */
function hasNoShape(schema: JsonObject): boolean {
  return shapes.every((keyword) => schema[keyword] === undefined);
}
