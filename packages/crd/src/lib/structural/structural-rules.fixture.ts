import type { JsonObject, JsonValue } from '@policy-machinery/resource';

/** Where in a schema a rule is looked at. */
type Level = 'root' | 'item' | 'field';

const asObject = (value: JsonValue | undefined): JsonObject => (value ?? {}) as JsonObject;
const asList = (value: JsonValue | undefined): readonly JsonObject[] => (value ?? []) as readonly JsonObject[];
const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

/** Keywords that Kubernetes does not accept anywhere in a schema of a CustomResourceDefinition. */
const unsupported = [
  '$ref',
  '$defs',
  '$schema',
  '$id',
  'id',
  'definitions',
  'const',
  'dependencies',
  'dependentRequired',
  'patternProperties',
  'propertyNames',
  'prefixItems',
  'additionalItems',
  'unevaluatedProperties',
  'if',
  'contains',
];

const types = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

/** Keywords that must be outside of `allOf`, `anyOf`, `oneOf` and `not`. */
const structuralOnly = [
  'type',
  'title',
  'description',
  'default',
  'nullable',
  'additionalProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
];

/**
 * Returns why a schema is not structural, by the rules that Kubernetes publishes for CustomResourceDefinitions. Written from
 * these, and not from the code that it checks.
 */
export function structuralFaults(schema: JsonObject): readonly string[] {
  return [...structure(schema, 'root', ''), ...completeness(schema, schema, '')];
}

function structure(schema: JsonObject, level: Level, at: string): readonly string[] {
  const { type, items, properties, additionalProperties } = schema;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const listType = schema['x-kubernetes-list-type'];
  const check = (isWrong: boolean, message: string): readonly string[] => (isWrong ? [`${at}: ${message}`] : []);
  return [
    ...anywhere(schema, at),
    ...check(type !== undefined && !types.includes(String(type)), 'type must be one of OpenAPI'),
    ...check(type === undefined && !isOpen && !isIntOrString, 'type must not be empty'),
    ...check(type !== undefined && isIntOrString, 'type must be empty beside int-or-string'),
    ...check(isOpen && isIntOrString, 'int-or-string cannot preserve unknown fields'),
    ...check(level === 'root' && type !== 'object', 'must be an object at the root'),
    ...check(level === 'root' && additionalProperties !== undefined, 'additionalProperties at the root'),
    ...check(type === 'array' && items === undefined, 'items must be specified'),
    ...check(type !== 'array' && items !== undefined, 'items without a list'),
    ...check(type !== 'object' && (properties ?? additionalProperties) !== undefined, 'fields without an object'),
    ...check(properties !== undefined && additionalProperties !== undefined, 'properties and additionalProperties'),
    ...check(additionalProperties === false, 'additionalProperties cannot be false'),
    ...check(
      listType === 'set' && ['object', 'array'].includes(String(asObject(items).type)),
      'a set of what is not simple',
    ),
    ...check(
      listType === 'map' &&
        ((schema['x-kubernetes-list-map-keys'] as readonly string[]) ?? ['']).some(
          (key) => !(asObject(items).required as readonly string[])?.includes(key),
        ),
      'a map without its keys',
    ),
    ...(items === undefined ? [] : structure(asObject(items), 'item', `${at}/items`)),
    ...(typeof additionalProperties === 'object'
      ? structure(asObject(additionalProperties), 'field', `${at}/additionalProperties`)
      : []),
    ...Object.entries(asObject(properties)).flatMap(([name, field]) =>
      structure(asObject(field), 'field', `${at}/properties/${name}`),
    ),
    ...partsOf(schema).flatMap(([keyword, part]) => values(part, `${at}/${keyword}`)),
  ];
}

/** Checks the part of a schema under a junctor, which must be about values only. */
function values(schema: JsonObject, at: string): readonly string[] {
  const { items, properties } = schema;
  return [
    ...anywhere(schema, at),
    ...structuralOnly.filter((keyword) => keyword in schema).map((keyword) => `${at}: ${keyword} in a nested context`),
    ...('metadata' in asObject(properties) ? [`${at}: metadata in a nested context`] : []),
    ...(items === undefined ? [] : values(asObject(items), `${at}/items`)),
    ...Object.entries(asObject(properties)).flatMap(([name, field]) =>
      values(asObject(field), `${at}/properties/${name}`),
    ),
    ...partsOf(schema).flatMap(([keyword, part]) => values(part, `${at}/${keyword}`)),
  ];
}

function anywhere(schema: JsonObject, at: string): readonly string[] {
  const { uniqueItems, items, pattern, exclusiveMinimum, exclusiveMaximum } = schema;
  const rules = asList(schema['x-kubernetes-validations']);
  return [
    ...unsupported.filter((keyword) => keyword in schema).map((keyword) => `${at}: ${keyword} is not supported`),
    ...(uniqueItems === true ? [`${at}: uniqueItems cannot be true`] : []),
    ...(Array.isArray(items) ? [`${at}: items must be one schema`] : []),
    ...(typeof pattern === 'string' && /\(\?<?[=!]|\\[1-9]/.test(pattern) ? [`${at}: no RE2`] : []),
    ...([exclusiveMinimum, exclusiveMaximum].some((flag) => typeof flag === 'number') ? [`${at}: must be a flag`] : []),
    ...rules.filter(({ rule }) => typeof rule !== 'string' || rule === '').map(() => `${at}: an empty rule`),
    ...rules
      .filter(({ message }) => typeof message !== 'string' || /\n/.test(message) || message.length > 2048)
      .map(() => `${at}: a message of several lines, or none`),
  ];
}

const partsOf = (schema: JsonObject): readonly (readonly [string, JsonObject])[] => [
  ...junctors.flatMap((keyword) =>
    asList(schema[keyword]).map((part, index) => [`${keyword}/${index}`, part] as const),
  ),
  ...(schema.not === undefined ? [] : [['not', asObject(schema.not)] as const]),
];

/** Every field and list that a junctor names must be specified outside of junctors, too. */
function completeness(outside: JsonObject | undefined, schema: JsonObject, at: string): readonly string[] {
  const inner = partsOf(schema).flatMap(([keyword, part]) => named(outside, part, `${at}/${keyword}`));
  const { items, properties, additionalProperties } = schema;
  return [
    ...inner,
    ...(items === undefined ? [] : completeness(asObject(items), asObject(items), `${at}/items`)),
    ...(typeof additionalProperties === 'object'
      ? completeness(asObject(additionalProperties), asObject(additionalProperties), `${at}/additionalProperties`)
      : []),
    ...Object.entries(asObject(properties)).flatMap(([name, field]) =>
      completeness(asObject(field), asObject(field), `${at}/properties/${name}`),
    ),
  ];
}

function named(outside: JsonObject | undefined, part: JsonObject, at: string): readonly string[] {
  if (outside === undefined) return [`${at}: is not specified outside`];
  const fields = asObject(outside.properties);
  return [
    ...partsOf(part).flatMap(([keyword, inner]) => named(outside, inner, `${at}/${keyword}`)),
    ...(part.items === undefined
      ? []
      : named(outside.items as JsonObject | undefined, asObject(part.items), `${at}/items`)),
    ...Object.entries(asObject(part.properties)).flatMap(([name, field]) =>
      named(
        Object.hasOwn(fields, name) ? asObject(fields[name]) : undefined,
        asObject(field),
        `${at}/properties/${name}`,
      ),
    ),
  ];
}
