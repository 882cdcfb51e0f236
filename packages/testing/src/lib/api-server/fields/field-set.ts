import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import type { FieldPath } from './field-path.ts';
import { isAtomicMap, listTypeOf, type Shape, shapeOfField, shapeOfItems } from './list-types.ts';

/** Paths that somebody owns, by their text. */
export type FieldSet = ReadonlyMap<string, FieldPath>;

/** A set of paths. */
export function fieldSet(paths: Iterable<FieldPath>): FieldSet {
  return new Map(Array.from(paths, (path) => [JSON.stringify(path), path]));
}

/** The paths of one set that another does not have. */
export function minus(one: FieldSet, other: ReadonlyMap<string, unknown>): FieldSet {
  return new Map([...one].filter(([key]) => !other.has(key)));
}

/** Lists the paths of a value that can be owned: its scalars, its items by key, and what is owned as a whole. */
export function* pathsIn(value: JsonValue, shape: Shape, path: FieldPath = []): Generator<FieldPath> {
  if (isJsonObject(value)) {
    const fields = Object.entries(value);
    if (fields.length === 0 || isAtomicMap(shape)) yield path;
    else
      for (const [field, inner] of fields) yield* pathsIn(inner, shapeOfField(shape, field), [...path, `f:${field}`]);
  } else if (Array.isArray(value)) yield* pathsInList(value, shape, path);
  else yield path;
}

function* pathsInList(items: readonly JsonValue[], shape: Shape, path: FieldPath): Generator<FieldPath> {
  const list = listTypeOf(shape);
  if (list.type === 'atomic' || items.length === 0) {
    yield path;
    return;
  }
  for (const item of items) {
    if (list.type !== 'map' || !isJsonObject(item)) yield [...path, `v:${JSON.stringify(item)}`];
    else {
      const keys = Object.fromEntries(list.keys.flatMap((key) => (item[key] === undefined ? [] : [[key, item[key]]])));
      const place = [...path, `k:${JSON.stringify(keys)}`];
      yield place;
      yield* pathsIn(item, shapeOfItems(shape), place);
    }
  }
}

/** Writes a set as `fieldsV1` of `managedFields`. */
export function formatFields(paths: FieldSet): JsonObject {
  const root: FieldTree = new Map();
  for (const path of paths.values()) {
    let node = root;
    for (const [index, step] of path.entries()) {
      const next = node.get(step) ?? new Map();
      node.set(step, next);
      node = next;
      // An item is owned itself, beside its fields.
      if (index === path.length - 1 && step.startsWith('k:')) node.set('.', new Map());
    }
  }
  return treeJson(root);
}

type FieldTree = Map<string, FieldTree>;

const treeJson = (tree: FieldTree): JsonObject =>
  Object.fromEntries(
    [...tree].sort(([one], [other]) => (one < other ? -1 : 1)).map(([step, inner]) => [step, treeJson(inner)]),
  );

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
