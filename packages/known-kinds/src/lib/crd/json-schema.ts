import { isJsonObject, type JsonObject, type JsonValue, objectIn } from '@policy-machinery/resource';
import type { Patterns } from './patterns.ts';

/**
 * Converts a structural schema to a JSON Schema of draft 4, for values that the API server stores.
 *
 * @param structural The schema of a CustomResourceDefinition, or a part of one.
 * @param patterns Takes the patterns; formats replace them in the result.
 * @returns The schema, which shares no part with the structural one.
 */
export function toJsonSchema(structural: JsonObject, patterns: Patterns): JsonObject {
  return node(structural, patterns);
}

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

/**
 * Keywords with the same meaning in both, which contain no schemas, with the values that mean something. Definitions in files can have others: these
 * refuse nothing. The API server knows no `uniqueItems`: it takes the square of a list's length.
 */
const same: Readonly<Record<string, (value: unknown) => boolean>> = {
  required: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isBoolean,
  exclusiveMaximum: isBoolean,
  multipleOf: (value) => typeof value === 'number' && value > 0,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  minProperties: isNumber,
  maxProperties: isNumber,
};

/** Whether a name is text. Halves of characters are none; no object that an API server stores has them. */
const isText = (name: string): boolean => !/\p{Surrogate}/u.test(name);

/** Formats with the same meaning for the API server and for validators of JSON Schema. */
const formats = ['date-time', 'date', 'ipv4', 'ipv6', 'uuid'];

/** Converts one schema. */
function node(structural: JsonObject, patterns: Patterns): JsonObject {
  const { nullable, format, enum: values, properties, additionalProperties, items, not } = structural;
  const inner = (value: JsonValue): JsonValue =>
    isJsonObject(value) ? node(value, patterns) : value === false ? value : {};
  const isNullable = nullable === true;
  return {
    ...Object.fromEntries(
      Object.entries(same).flatMap(([key, means]) => (means(structural[key]) ? [[key, structural[key]]] : [])),
    ),
    ...typed(structural, isNullable),
    ...(Array.isArray(values) ? { enum: isNullable ? [...values, null] : values } : {}),
    ...(typeof format === 'string' && formats.includes(format) ? { format } : {}),
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(named(properties).map(([key, value]) => [key, inner(value)])) }
      : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties: inner(additionalProperties) }),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...combined(structural, patterns),
    ...(isJsonObject(not) ? { not: node(not, patterns) } : {}),
  };
}

const named = (properties: JsonObject) => Object.entries(properties).filter(([name]) => isText(name));

function combined(structural: JsonObject, patterns: Patterns): JsonObject {
  const { pattern } = structural;
  const parts = ['allOf', 'anyOf', 'oneOf'].map((key) => {
    const list = structural[key];
    return [key, Array.isArray(list) ? list.map((part) => node(objectIn(part), patterns)) : []] as const;
  });
  if (typeof pattern === 'string') parts[0]?.[1].push({ format: patterns.formatOf(pattern) });
  return Object.fromEntries(parts.filter(([, list]) => list.length > 0));
}

function typed(structural: JsonObject, isNullable: boolean): JsonObject {
  const orString = structural['x-kubernetes-int-or-string'] === true;
  const types = orString ? ['integer', 'string'] : typeof structural.type === 'string' ? [structural.type] : [];
  return types.length === 0 ? {} : { type: isNullable ? [...types, 'null'] : types };
}
