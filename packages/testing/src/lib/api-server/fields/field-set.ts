import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import type { FieldPath } from './field-path.ts';
import { isAtomicMap, listTypeOf, type Shape, shapeOfField, shapeOfItems } from './list-types.ts';

/** Paths that a manager owns, by their text. */
export type FieldSet = ReadonlyMap<string, FieldPath>;

export function fieldSet(paths: Iterable<FieldPath>): FieldSet {
  return new Map(Array.from(paths, (path) => [JSON.stringify(path), path]));
}

/** Returns the paths of one set that another does not have. */
export function minus(fields: FieldSet, other: ReadonlyMap<string, unknown>): FieldSet {
  return new Map([...fields].filter(([key]) => !other.has(key)));
}

/**
 * Lists the paths of a value that can be owned: its scalars, its items by key, and values that are owned as a whole.
 *
 * @param containers Whether objects and lists with parts that are owned one by one count as well, except for the value
 * itself. Default no.
 */
export function* pathsIn(
  value: JsonValue,
  shape: Shape,
  containers = false,
  path: FieldPath = [],
): Generator<FieldPath> {
  if (isJsonObject(value)) {
    const fields = Object.entries(value);
    if (fields.length === 0 || isAtomicMap(shape)) yield path;
    else {
      if (containers && path.length > 0) yield path;
      for (const [field, inner] of fields) {
        yield* pathsIn(inner, shapeOfField(shape, field), containers, [...path, `f:${field}`]);
      }
    }
  } else if (Array.isArray(value)) yield* pathsInList(value, shape, containers, path);
  else yield path;
}

function* pathsInList(
  items: readonly JsonValue[],
  shape: Shape,
  containers: boolean,
  path: FieldPath,
): Generator<FieldPath> {
  const list = listTypeOf(shape);
  if (list.type === 'atomic' || containers) yield path;
  if (list.type === 'atomic') return;
  for (const item of items) {
    if (list.type !== 'map' || !isJsonObject(item)) yield [...path, `v:${JSON.stringify(item)}`];
    else {
      const keys = Object.fromEntries(list.keys.flatMap((key) => (item[key] === undefined ? [] : [[key, item[key]]])));
      const place = [...path, `k:${JSON.stringify(keys)}`];
      yield place;
      yield* pathsIn(item, shapeOfItems(shape), false, place);
    }
  }
}

/** Writes a set as `fieldsV1` of `managedFields`. */
export function formatFields(paths: FieldSet): JsonObject {
  const root: FieldTree = new Map();
  for (const path of paths.values()) {
    let node = root;
    for (const step of path) {
      const next = node.get(step) ?? new Map();
      node.set(step, next);
      node = next;
    }
    node.set('.', new Map());
  }
  return treeJson(root);
}

type FieldTree = Map<string, FieldTree>;

function treeJson(tree: FieldTree): JsonObject {
  // An owned value without parts needs no mark.
  const isWhole = tree.size === 1 && tree.has('.');
  const steps = isWhole ? [] : [...tree].sort(([step], [other]) => (step < other ? -1 : 1));
  return Object.fromEntries(steps.map(([step, inner]) => [step, treeJson(inner)]));
}

/** Reads `fieldsV1` of `managedFields`. */
export function parseFields(fields: JsonObject): FieldSet {
  return fieldSet(pathsInTree(fields, []));
}

function* pathsInTree(tree: JsonObject, path: FieldPath): Generator<FieldPath> {
  const steps = Object.entries(tree);
  if (steps.length === 0) yield path;
  for (const [step, inner] of steps) {
    if (step === '.') yield path;
    else if (isJsonObject(inner)) yield* pathsInTree(inner, [...path, step]);
  }
}
