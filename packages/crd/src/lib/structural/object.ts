import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { type Conversion, lose, preserveUnknownFields, type SchemaPlace, within } from './conversion.ts';
import type { Node } from './keywords.ts';

/** Converts a field, given by its keys. */
export type ToField = (schema: JsonValue | undefined, ...keys: readonly (string | number)[]) => Node;

/**
 * Returns the fields of an object. The API server prunes those that are not named, whether the schema forbids or omits them; it
 * keeps fields that the schema describes.
 */
export function objectKeywords(schema: JsonObject, place: SchemaPlace, conversion: Conversion, field: ToField): Node {
  const { properties, propertyNames } = schema;
  const names = isJsonObject(propertyNames) && Array.isArray(propertyNames.enum) ? propertyNames.enum : undefined;
  const [others, keyword] = othersOf(schema);
  if (names !== undefined && others !== undefined && properties === undefined) {
    const keys = names.filter((name) => typeof name === 'string');
    return { properties: Object.fromEntries(keys.map((key) => [key, field(others, ...keyword)])) };
  }
  if (isJsonObject(propertyNames) && Object.keys(propertyNames).some((key) => key !== 'type')) {
    lose(
      conversion,
      within(place, 'propertyNames'),
      'the API server does not check the names of fields; add a CEL rule',
    );
  }
  const named = isJsonObject(properties)
    ? Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, field(value, 'properties', key)]))
    : {};
  if (Object.keys(named).length === 0) {
    if (others !== undefined) return { additionalProperties: field(others, ...keyword) };
    const isAnything = properties === undefined && schema.additionalProperties === undefined;
    return isAnything ? { [preserveUnknownFields]: true } : {};
  }
  if (others === undefined) return { properties: named };
  if (others !== true && Object.keys(others).length > 0) {
    lose(conversion, within(place, ...keyword), 'fields beside named ones are kept, but not checked by the API server');
  }
  return { properties: named, [preserveUnknownFields]: true };
}

type Others = readonly [schema: JsonObject | true | undefined, keyword: readonly string[]];

/** Returns the schema of fields without a name. */
function othersOf({ additionalProperties, patternProperties }: JsonObject): Others {
  const [pattern, ...more] = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
  if (pattern === undefined)
    return [
      isJsonObject(additionalProperties) || additionalProperties === true ? additionalProperties : undefined,
      ['additionalProperties'],
    ];
  const [name, schema] = pattern;
  return more.length === 0 && isJsonObject(schema)
    ? [schema, ['patternProperties', name]]
    : [true, ['patternProperties']];
}
