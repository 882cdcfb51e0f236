import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  type ObjectFault,
} from '@policy-machinery/resource';

/** The shape that a field must have to be read completely. */
export interface Shape {
  /** Returns whether a value has the shape. Allocates nothing, because nearly all values have theirs. */
  readonly accepts: (value: JsonValue) => boolean;
  /** Returns the faults of a value that the shape does not accept. */
  readonly faultsIn: (value: JsonValue, pointer: string) => readonly ObjectFault[];
}

/** Fields by their keys. To the API server, `null` means that a field is not set. */
type Fields = Readonly<Record<string, Shape>>;

/** Returns the shape of a value without parts. */
export function scalar(expected: string, accepts: Shape['accepts']): Shape {
  return { accepts, faultsIn: (value, pointer) => [mismatch(value, expected, pointer)] };
}

/** Any string. */
export const text = scalar('a string', (value) => typeof value === 'string');

/** Returns the shape of one of a few strings. */
export function oneOf(...values: readonly string[]): Shape {
  return scalar(values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`, (value) =>
    (values as readonly JsonValue[]).includes(value),
  );
}

/** A number, as ports have. */
export const port = scalar('a number', (value) => typeof value === 'number');

/** Returns the shape of a list with items of one shape. */
export function listOf(item: Shape, expected: string): Shape {
  const accepts = (value: JsonValue): boolean => {
    if (!Array.isArray(value)) return false;
    for (let index = 0; index < value.length; index += 1) if (!item.accepts(value[index])) return false;
    return true;
  };
  return {
    accepts,
    faultsIn(value, pointer) {
      if (!Array.isArray(value)) return [mismatch(value, expected, pointer)];
      return Array.from<JsonValue>(value).flatMap((it, index) =>
        item.accepts(it) ? [] : item.faultsIn(it, `${pointer}/${index}`),
      );
    },
  };
}

/**
 * Returns the shape of an object.
 *
 * @param fields The fields that are read.
 * @param expected The advice for a value that is not an object.
 * @param requiredIn The keys of the fields that such an object must have. Default: none.
 */
export function objectOf(
  fields: Fields,
  expected = 'an object',
  requiredIn: (value: JsonObject) => readonly string[] = () => none,
): Shape {
  const shapes = Object.entries(fields).map(([key, shape]) => ({ key, shape }));
  const accepts = (value: JsonValue): boolean => {
    if (!isJsonObject(value)) return false;
    for (let index = 0; index < shapes.length; index += 1) {
      const { key, shape } = shapes[index] as (typeof shapes)[number];
      const field = value[key];
      if (field !== undefined && field !== null && !shape.accepts(field)) return false;
    }
    for (const key of requiredIn(value)) if (isMissing(value[key])) return false;
    return true;
  };
  return {
    accepts,
    faultsIn(value, pointer) {
      if (!isJsonObject(value)) return [mismatch(value, expected, pointer)];
      const missing = requiredIn(value).filter((key) => isMissing(value[key]));
      return [
        ...missing.map((key) => lack(`${pointer}/${key}`)),
        ...shapes.flatMap(({ key, shape }) => {
          const field = value[key];
          return isMissing(field) || shape.accepts(field) ? [] : shape.faultsIn(field, `${pointer}/${key}`);
        }),
      ];
    },
  };
}

/** Returns the faults of resources with a spec that must have a shape: a function for target kinds. */
export function faultsBy(shape: Shape): (resource: KubernetesObject) => readonly ObjectFault[] {
  return ({ spec }) => {
    if (spec === undefined || shape.accepts(spec as JsonValue)) return none;
    return shape.faultsIn(spec as JsonValue, '/spec');
  };
}

const none: readonly never[] = [];

function isMissing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function mismatch(value: JsonValue, expected: string, pointer: string): ObjectFault {
  return { pointer, message: `${nameOf(pointer)} is ${describe(value)} and cannot be read; make it ${expected}` };
}

function lack(pointer: string): ObjectFault {
  return { pointer, message: `${nameOf(pointer)} is missing, so nothing is read there; set it` };
}

/**
 * Returns a pointer as people write fields: `/spec/rules/0/backendRefs` as `spec.rules[0].backendRefs`. All keys come from shapes, so none
 * needs quotes.
 */
function nameOf(pointer: string): string {
  return pointer
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
}

/** Returns a value in a few words, however long the value is. */
function describe(value: JsonValue): string {
  if (value === null) return 'null';
  if (value === '') return 'empty';
  if (typeof value === 'string') return value.length > 40 ? `"${value.slice(0, 40)}…"` : JSON.stringify(value);
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return `a ${typeof value}`;
}
