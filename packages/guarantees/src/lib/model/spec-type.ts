import type { CelType } from '@policy-machinery/cel';
import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';

const scalars: Readonly<Record<string, CelType>> = {
  string: 'string',
  boolean: 'bool',
  integer: 'int',
  number: 'number',
};

/**
 * Returns the type of the values of a JSON Schema, for checking expressions.
 *
 * @param schema The schema of a spec, such as the schema of a CustomResourceDefinition.
 * @returns The type; `any` for parts that the schema leaves open: unknown fields, values of several types, and fields below `allOf`
 * and the like.
 */
export function typeOfSchema(schema: JsonValue | undefined): CelType {
  if (!isJsonObject(schema)) return 'any';
  const { type, properties, additionalProperties, items } = schema;
  const isOpen =
    schema.nullable === true ||
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['x-kubernetes-embedded-resource'] === true ||
    ['allOf', 'anyOf', 'oneOf', '$ref'].some((key) => key in schema && properties === undefined);
  if (isOpen || typeof type !== 'string') return 'any';
  if (type === 'array') return { list: typeOfSchema(items) };
  if (type !== 'object') return scalars[type] ?? 'any';
  if (isJsonObject(properties)) return { fields: typesOf(properties) };
  return isJsonObject(additionalProperties) ? { map: typeOfSchema(additionalProperties) } : 'any';
}

function typesOf(properties: JsonObject): Readonly<Record<string, CelType>> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, typeOfSchema(schema)]));
}
