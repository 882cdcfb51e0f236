import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parsePointer,
  storedBySchema,
  valueAt,
} from '@policy-machinery/resource';
import type { SpecChecks, SpecFault } from '../model/spec-checks.ts';
import { toJsonSchema } from './json-schema.ts';
import { Patterns, patternOf } from './patterns.ts';
import { Rules, ruleFaults } from './rules.ts';

/**
 * Returns the checks that the API server makes of specs as it stores them: types, required fields, bounds, patterns, and those CEL rules that can
 * be evaluated without a cluster. See {@link uncheckedIn} for the others. Unknown fields are faults: the API server serves none.
 *
 * @param spec The structural schema of `spec`.
 * @param proper That of the spec proper.
 * @param rules The compiled rules.
 * @param patterns The compiled patterns.
 * @returns The checks. Schemas are converted when the first spec is checked.
 */
export function checksOf(spec: JsonObject, proper: JsonObject, rules: Rules, patterns: Patterns): SpecChecks {
  const part = checker(proper, rules, patterns);
  const store = storedBySchema(spec);
  return {
    stored: (written) => store(written).value,
    check: checker(spec, rules, patterns),
    schema: {
      '~standard': {
        version: 1,
        vendor: 'policy-machinery',
        validate: (value) => {
          const faults = isJsonObject(value) ? part(value) : [{ message: 'must be an object', pointer: '' }];
          if (faults.length === 0) return { value: value as JsonObject };
          return { issues: faults.map(({ message, pointer }) => ({ message, path: parsePointer(pointer) })) };
        },
      },
    },
  };
}

/**
 * Returns the checks that the API server makes of values with a structural schema, after it has filled in defaults.
 *
 * @param schema The structural schema of a CustomResourceDefinition, or a part of one.
 * @returns A function that returns what is wrong with a value. It never throws. Unknown fields are faults.
 */
export function structuralChecks(schema: JsonObject): SpecChecks['check'] {
  return checker(schema, new Rules(), new Patterns());
}

function checker(structural: JsonObject, rules: Rules, patterns: Patterns): SpecChecks['check'] {
  let made: { readonly schema: JsonObject; readonly validator: Validator } | undefined;
  const store = storedBySchema(structural);
  return (written) => {
    made ??= compiled(structural, patterns);
    const { schema, validator } = made;
    const { value, unknown } = store(written);
    const faults = patterns.during(() => found(validator, value)).flatMap((unit) => faultOf(unit, schema, value));
    const dropped = unknown.map((pointer) => ({ message: unknownField(pointer), pointer }));
    // As the API server does: rules are evaluated only for values of the right form.
    return dropped.length + faults.length > 0 ? [...dropped, ...faults] : [...ruleFaults(value, structural, rules)];
  };
}

const unknownField = (pointer: string) =>
  `the field ${parsePointer(pointer).at(-1)} is unknown; remove it, or correct its name`;

/** Returns what a validator finds. It cannot name a field whose name has half a character, which no object of an API server has. */
function found(validator: Validator, value: JsonValue): readonly OutputUnit[] {
  try {
    return validator.validate(value).errors;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return [{ keyword: 'name', keywordLocation: '#', instanceLocation: '#', error: 'The name of a field is no text.' }];
  }
}

function compiled(structural: JsonObject, patterns: Patterns) {
  const schema = toJsonSchema(structural, patterns);
  return { schema, validator: new Validator(schema as Schema, '4', false) };
}

/** Keywords whose fault is only that a schema in them has one. */
const wrappers = ['properties', 'additionalProperties', 'items', 'allOf'];

function faultOf(unit: OutputUnit, schema: JsonObject, value: unknown): readonly SpecFault[] {
  const { keyword, instanceLocation, keywordLocation, error } = unit;
  const isInAlternative = /\/(?:anyOf|oneOf|not)\/./.test(keywordLocation.replace(/\/properties\/[^/]*/g, ''));
  if (wrappers.includes(keyword) || isInAlternative) return [];
  const pointer = decodeURI(instanceLocation.slice(1));
  const limit = valueAt(schema, decodeURI(keywordLocation.slice(1)));
  return [{ message: messageOf(keyword, limit, error, pointer, valueAt(value as JsonObject, pointer)), pointer }];
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
  minLength: (limit) => `must have at least ${String(limit)} characters`,
  maxLength: (limit) => `must have at most ${String(limit)} characters`,
  minItems: (limit) => `must have at least ${String(limit)} items`,
  maxItems: (limit) => `must have at most ${String(limit)} items`,
  anyOf: () => 'fulfils none of the alternatives in its schema; correct it',
  oneOf: () => 'must fulfil exactly one of the alternatives in its schema; correct it',
  not: () => 'has a combination of values that its schema excludes; correct it',
};

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
