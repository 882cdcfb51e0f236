import { type CelValue, celEnv, celList, celMap, isCelError, parse, plan } from '@bufbuild/cel';
import type { JsonObject, JsonValue } from '@policy-machinery/resource';
import { celName } from './definition/cel.ts';

/** Returns the faults that the API server finds in a value, by a structural schema and, if the schema accepts the value, by its CEL rules. */
export function refusals(schema: JsonObject, value: JsonValue): readonly string[] {
  const stored = pruned(schema, value);
  const faults = faultsOf(schema, stored, '');
  return faults.length > 0 ? faults : ruleFaults(schema, stored, '');
}

const asObject = (value: JsonValue | undefined): JsonObject => (value ?? {}) as JsonObject;
const asList = (value: JsonValue | undefined): readonly JsonObject[] => (value ?? []) as readonly JsonObject[];
const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (object: JsonObject, key: string) => Object.hasOwn(object, key);

/** Returns a value as the API server stores it: without fields that the schema does not name, and without nulls that it does not allow. */
export function pruned(schema: JsonObject, value: JsonValue): JsonValue {
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => pruned(asObject(items), item));
  if (!isObject(value)) return value;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => {
      const named = has(asObject(properties), key) ? asObject(properties)[key] : additionalProperties;
      if (named === undefined) return isOpen ? [[key, field] as const] : [];
      const isDropped = field === null && asObject(named).nullable !== true;
      return isDropped ? [] : [[key, pruned(asObject(named), field)] as const];
    }),
  );
}

const types: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
};

function faultsOf(schema: JsonObject, value: JsonValue, at: string): readonly string[] {
  const inner = partsOf(schema, value).flatMap(([key, part, field]) => faultsOf(part, field, `${at}/${key}`));
  return [...typeFaults(schema, value, at), ...valueFaults(schema, value, at), ...inner];
}

type Part = readonly [key: string | number, schema: JsonObject, value: JsonValue];

/** Returns the fields or items that a schema describes. */
function partsOf({ items, properties, additionalProperties }: JsonObject, value: JsonValue): readonly Part[] {
  if (Array.isArray(value))
    return items === undefined ? [] : value.map((item, index) => [index, asObject(items), item]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, field]): readonly Part[] => {
    const named = has(asObject(properties), key) ? asObject(properties)[key] : additionalProperties;
    return named === undefined ? [] : [[key, asObject(named), field]];
  });
}

function typeFaults(schema: JsonObject, value: JsonValue, at: string): readonly string[] {
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  if (value === null && schema.nullable === true) return [];
  if (isIntOrString) return typeof value === 'string' || Number.isInteger(value) ? [] : [`${at}: int-or-string`];
  return schema.type === undefined || types[String(schema.type)]?.(value) ? [] : [`${at}: ${schema.type}`];
}

type Check = (value: JsonValue, limit: JsonValue, schema: JsonObject) => boolean;
const onText =
  (check: (length: number, limit: number) => boolean): Check =>
  (value, limit) =>
    typeof value !== 'string' || check([...value].length, limit as number);
const onNumber =
  (check: (value: number, limit: number, schema: JsonObject) => boolean): Check =>
  (value, limit, schema) =>
    typeof value !== 'number' || check(value, limit as number, schema);
const onList =
  (check: (length: number, limit: number) => boolean): Check =>
  (value, limit) =>
    !Array.isArray(value) || check(value.length, limit as number);
const onFields =
  (check: (keys: readonly string[], limit: JsonValue) => boolean): Check =>
  (value, limit) =>
    !isObject(value) || check(Object.keys(value), limit);

const checks: Readonly<Record<string, Check>> = {
  enum: (value, allowed) =>
    (allowed as readonly JsonValue[]).some((one) => JSON.stringify(one) === JSON.stringify(value)),
  pattern: (value, pattern) => typeof value !== 'string' || new RegExp(String(pattern), 'u').test(value),
  minLength: onText((length, limit) => length >= limit),
  maxLength: onText((length, limit) => length <= limit),
  minimum: onNumber((value, limit, { exclusiveMinimum }) =>
    exclusiveMinimum === true ? value > limit : value >= limit,
  ),
  maximum: onNumber((value, limit, { exclusiveMaximum }) =>
    exclusiveMaximum === true ? value < limit : value <= limit,
  ),
  multipleOf: onNumber((value, of) => value % of === 0),
  minItems: onList((length, limit) => length >= limit),
  maxItems: onList((length, limit) => length <= limit),
  required: onFields((keys, names) => (names as readonly string[]).every((name) => keys.includes(name))),
  minProperties: onFields((keys, limit) => keys.length >= Number(limit)),
  maxProperties: onFields((keys, limit) => keys.length <= Number(limit)),
  'x-kubernetes-list-type': (value, type) =>
    type !== 'set' || !Array.isArray(value) || new Set(value.map((item) => JSON.stringify(item))).size === value.length,
};

function valueFaults(schema: JsonObject, value: JsonValue, at: string): readonly string[] {
  // For null, only the enum is checked, in which the API server never finds null.
  if (value === null) return schema.enum === undefined ? [] : [`${at}: enum`];
  const holds = (part: JsonObject) => partFaults(part, value, at).length === 0;
  return [
    ...Object.entries(checks).flatMap(([keyword, check]) =>
      schema[keyword] === undefined || check(value, schema[keyword], schema) ? [] : [`${at}: ${keyword}`],
    ),
    ...asList(schema.allOf).flatMap((part) => partFaults(part, value, at)),
    ...(schema.anyOf === undefined || asList(schema.anyOf).some(holds) ? [] : [`${at}: anyOf`]),
    ...(schema.oneOf === undefined || asList(schema.oneOf).filter(holds).length === 1 ? [] : [`${at}: oneOf`]),
    ...(schema.not === undefined || !holds(asObject(schema.not)) ? [] : [`${at}: not`]),
  ];
}

/** Returns the faults of a value by a part of `allOf`, `anyOf`, `oneOf` or `not`, in which types do not count. */
function partFaults(part: JsonObject, value: JsonValue, at: string): readonly string[] {
  const inner = partsOf(part, value).flatMap(([key, field, below]) => partFaults(field, below, `${at}/${key}`));
  return [...valueFaults(part, value, at), ...inner];
}

const env = celEnv();

function ruleFaults(schema: JsonObject, value: JsonValue, at: string): readonly string[] {
  const own = asList(schema['x-kubernetes-validations']).filter(({ rule }) => !holds(String(rule), value));
  return [
    ...own.map(({ message }) => `${at}: ${message}`),
    ...partsOf(schema, value).flatMap(([key, part, field]) => ruleFaults(part, field, `${at}/${key}`)),
  ];
}

/** Evaluates a rule. Throws for invalid CEL, and for results other than a boolean. */
function holds(rule: string, self: JsonValue): boolean {
  const result = plan(env, parse(rule))({ self: celValue(self) });
  if (isCelError(result) || typeof result !== 'boolean') throw new Error(`${rule} gives ${String(result)}`);
  return result;
}

/** Fields go by the names that rules have for them. */
function celValue(value: JsonValue): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return celList(value.map(celValue));
  if (!isObject(value)) return value as CelValue;
  const named = Object.entries(value).map(([key, field]) => [celName(key) ?? key, celValue(field)] as const);
  return celMap(new Map(named));
}
