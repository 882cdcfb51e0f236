import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { objectIn } from './definition.ts';

/**
 * Converts a structural schema to a JSON Schema of draft 4, in which fields that the API server would prune are not allowed.
 *
 * @param structural The schema of a CustomResourceDefinition, or a part of one.
 * @returns The schema, which shares no part with the structural one.
 */
export function toJsonSchema(structural: JsonObject): JsonObject {
  return node(structural, true);
}

/** Keywords with the same meaning in both, which contain no schemas. */
const same = [
  'required',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

/** Formats with the same meaning for the API server and for validators of JSON Schema. */
const formats = ['date-time', 'date', 'ipv4', 'ipv6', 'uuid'];

/**
 * Converts one schema.
 *
 * @param isStructural Whether the schema declares the fields. In `allOf`, `anyOf`, `oneOf` and `not`, schemas only constrain declared
 * fields.
 */
function node(structural: JsonObject, isStructural: boolean): JsonObject {
  const { type, nullable, pattern, format, enum: values, properties, additionalProperties, items, not } = structural;
  const inner = (value: JsonValue): JsonValue => (isJsonObject(value) ? node(value, isStructural) : value);
  const isNullable = nullable === true;
  return {
    ...Object.fromEntries(same.flatMap((key) => (structural[key] === undefined ? [] : [[key, structural[key]]]))),
    ...typed(structural, isNullable),
    ...(Array.isArray(values) ? { enum: isNullable ? [...values, null] : values } : {}),
    ...(typeof pattern === 'string' ? patterned(pattern) : {}),
    ...(typeof format === 'string' && formats.includes(format) ? { format } : {}),
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, inner(value)])) }
      : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties: inner(additionalProperties) }),
    ...(isStructural && isClosed(structural, type) ? { additionalProperties: false } : {}),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...Object.fromEntries(
      ['allOf', 'anyOf', 'oneOf'].flatMap((key) => {
        const parts = structural[key];
        return Array.isArray(parts) ? [[key, parts.map((part) => node(objectIn(part), false))]] : [];
      }),
    ),
    ...(isJsonObject(not) ? { not: node(not, false) } : {}),
  };
}

function typed(structural: JsonObject, isNullable: boolean): JsonObject {
  const orString = structural['x-kubernetes-int-or-string'] === true;
  const types = orString ? ['integer', 'string'] : typeof structural.type === 'string' ? [structural.type] : [];
  return types.length === 0 ? {} : { type: isNullable ? [...types, 'null'] : types };
}

/** Returns whether the API server prunes fields of an object that its schema does not name. */
function isClosed(structural: JsonObject, type: JsonValue | undefined): boolean {
  return (
    type === 'object' &&
    structural.additionalProperties === undefined &&
    structural['x-kubernetes-preserve-unknown-fields'] !== true &&
    structural['x-kubernetes-embedded-resource'] !== true
  );
}

/** Patterns of RE2 are checked if they are also regular expressions of JavaScript. */
function patterned(pattern: string): JsonObject {
  return isRegularExpression(pattern) ? { pattern } : {};
}

/** Returns whether a pattern of RE2 is also a regular expression of JavaScript. */
export function isRegularExpression(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
