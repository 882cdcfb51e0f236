import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import type { SpecFault } from '@policy-machinery/policy-kind';
import { type JsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import { toJsonSchema } from './json-schema.ts';
import { type Patterns, patternOf } from './patterns.ts';

/** Returns the faults of a value, with JSON Pointers from its root. */
export type Validate = (value: JsonValue) => readonly SpecFault[];

/**
 * Returns the validator of a structural schema, without its CEL rules. The schema is converted when the first value is validated.
 *
 * @param patterns The compiled patterns.
 */
export function validatorOf(structural: JsonObject, patterns: Patterns): Validate {
  let made: { readonly schema: JsonObject; readonly validator: Validator } | undefined;
  return (value) => {
    made ??= compiled(structural, patterns);
    const { schema, validator } = made;
    return patterns.during(() => found(validator, value)).flatMap((unit) => faultOf(unit, schema, value));
  };
}

/**
 * Returns the faults that a validator finds. It cannot name a field with half a character in its name, which does not
 * occur in objects of an API server.
 */
function found(validator: Validator, value: JsonValue): readonly OutputUnit[] {
  try {
    return validator.validate(value).errors;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return [
      { keyword: 'name', keywordLocation: '#', instanceLocation: '#', error: 'The name of a field is not text.' },
    ];
  }
}

function compiled(structural: JsonObject, patterns: Patterns) {
  const schema = toJsonSchema(structural, patterns);
  return { schema, validator: new Validator(schema as Schema, '4', false) };
}

/** Keywords with faults that only repeat the fault of a schema in them. */
const wrappers = ['properties', 'additionalProperties', 'items', 'allOf'];

function faultOf(unit: OutputUnit, schema: JsonObject, value: unknown): readonly SpecFault[] {
  const { keyword, instanceLocation, keywordLocation, error } = unit;
  const isInAlternative = /\/(?:anyOf|oneOf|not)\/./.test(keywordLocation.replace(/\/properties\/[^/]*/g, ''));
  if (wrappers.includes(keyword) || isInAlternative) return [];
  const pointer = decodeURI(instanceLocation.slice(1));
  const place = decodeURI(keywordLocation.slice(1));
  const isExclusive = ['minimum', 'maximum'].includes(keyword) && valueAt(schema, exclusiveAt(place)) === true;
  const meant = isExclusive ? exclusiveAt(keyword) : keyword;
  const found = valueAt(value as JsonObject, pointer);
  return [{ message: messageOf(meant, valueAt(schema, place), error, pointer, found), pointer }];
}

/** Returns the name of the keyword beside `minimum` or `maximum` that excludes the bound, also at the end of a place. */
function exclusiveAt(place: string): string {
  const end = place.lastIndexOf('/') + 1;
  return `${place.slice(0, end)}exclusiveM${place.slice(end + 1)}`;
}

function messageOf(keyword: string, limit: unknown, error: string, pointer: string, value: unknown): string {
  const pattern = keyword === 'format' ? patternOf(limit) : undefined;
  if (pattern !== undefined) return `must match the pattern ${pattern}`;
  const told = messages[keyword];
  if (told !== undefined) return told(limit, error, pointer, value);
  const text = error.replace(/^Instance /, '').replace(/\.$/, '');
  return `${text}; correct it`;
}

const messages: Readonly<Record<string, (limit: unknown, error: string, pointer: string, value: unknown) => string>> = {
  type: (limit, _error, _pointer, value) => `must be ${[limit].flat().join(' or ')}, not ${typeName(value)}`,
  required: (_limit, error) => `the field ${/property "(.*)"/.exec(error)?.[1] ?? ''} is missing; set it`,
  enum: (limit, _error, _pointer, value) =>
    `must be one of ${[limit]
      .flat()
      .map((it) => JSON.stringify(it))
      .join(', ')}, not ${JSON.stringify(value)}`,
  minimum: (limit, _error, _pointer, value) => `must be at least ${String(limit)}, not ${String(value)}`,
  maximum: (limit, _error, _pointer, value) => `must be at most ${String(limit)}, not ${String(value)}`,
  exclusiveMinimum: (limit, _error, _pointer, value) => `must be more than ${String(limit)}, not ${String(value)}`,
  exclusiveMaximum: (limit, _error, _pointer, value) => `must be less than ${String(limit)}, not ${String(value)}`,
  minLength: (limit) => `must have at least ${String(limit)} characters`,
  maxLength: (limit) => `must have at most ${String(limit)} characters`,
  minItems: (limit) => `must have at least ${String(limit)} items`,
  maxItems: (limit) => `must have at most ${String(limit)} items`,
  anyOf: () => 'does not match any of the alternatives in its schema; correct it',
  oneOf: () => 'must fulfil exactly one of the alternatives in its schema; correct it',
  not: () => 'has a combination of values that its schema excludes; correct it',
};

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
