import type { JsonObject, JsonValue } from '@policy-machinery/resource';
import { type Conversion, fail, lose, type SchemaPlace, within } from './conversion.ts';
import type { Node } from './keywords.ts';
import { refusedBecause } from './regular-expression.ts';

const isNumber = (value: JsonValue): boolean => typeof value === 'number';
const isNames = (value: JsonValue): boolean => Array.isArray(value) && value.every((name) => typeof name === 'string');

/** The keywords that are copied if their values have the right type. */
const plain: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  minLength: isNumber,
  maxLength: isNumber,
  multipleOf: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  minProperties: isNumber,
  maxProperties: isNumber,
  required: isNames,
};

/** The formats with the same meaning for the API server and for JSON Schema. */
const formats = [
  'date',
  'date-time',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
  'byte',
  'password',
  'int32',
  'int64',
  'float',
  'double',
];

/** Returns the constraints of a schema on values, as OpenAPI 3.0 writes them. */
export function valueKeywordsOf(schema: JsonObject, place: SchemaPlace, conversion: Conversion): Node {
  return {
    ...enumOf(schema),
    ...formatOf(schema, place, conversion),
    ...patternOf(schema, place, conversion),
    ...bound(schema, 'minimum', 'exclusiveMinimum', Math.max),
    ...bound(schema, 'maximum', 'exclusiveMaximum', Math.min),
    ...plainOf(schema, place, conversion),
  };
}

function plainOf(schema: JsonObject, place: SchemaPlace, conversion: Conversion): Node {
  const node: Record<string, JsonValue> = {};
  for (const [keyword, isRight] of Object.entries(plain)) {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    if (value === undefined) continue;
    if (isRight(value)) node[keyword] = value;
    else fail(conversion, within(place, keyword), 'no-schema', 'has an invalid value');
  }
  return node;
}

function enumOf({ const: only, enum: many }: JsonObject): Node {
  if (only !== undefined) return { enum: [only] };
  // Whether null is valid is converted elsewhere.
  return Array.isArray(many) ? { enum: many.filter((value) => value !== null) } : {};
}

function formatOf({ format, pattern }: JsonObject, place: SchemaPlace, conversion: Conversion): Node {
  if (typeof format !== 'string') return {};
  if (formats.includes(format)) return { format };
  // A pattern beside it expresses the same more precisely.
  if (typeof pattern !== 'string')
    lose(conversion, place, `the API server does not know the format ${format}; add a pattern`);
  return {};
}

function patternOf({ pattern }: JsonObject, place: SchemaPlace, conversion: Conversion): Node {
  if (typeof pattern !== 'string') return {};
  const reason = refusedBecause(pattern);
  if (reason === undefined) return { pattern };
  lose(
    conversion,
    place,
    `the pattern ${reason}, which the API server refuses; write it without, or leave it to reading`,
  );
  return {};
}

/** Returns a limit: from JSON Schema's draft 06 on, an exclusive limit is a number; in OpenAPI 3.0 it is a flag beside the other limit. */
function bound(
  schema: JsonObject,
  inclusive: string,
  exclusive: string,
  tighter: (one: number, other: number) => number,
): Node {
  const { [inclusive]: limit, [exclusive]: strict } = schema;
  if (typeof strict !== 'number') {
    return typeof limit === 'number' ? { [inclusive]: limit, ...(strict === true ? { [exclusive]: true } : {}) } : {};
  }
  if (typeof limit !== 'number' || tighter(limit, strict) === strict) return { [inclusive]: strict, [exclusive]: true };
  return { [inclusive]: limit };
}
