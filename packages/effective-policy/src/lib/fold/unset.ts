import { removeFields } from '@policy-machinery/merge/inner';
import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import type { ContextLayer, TracedSpec } from './context-layer.ts';

/** The fields of other policies' defaults that a policy unsets. */
export interface Unset<Spec> {
  /** Paths of fields with dots, or the last parts of such paths. */
  readonly names: readonly string[];
  readonly by: ContextLayer<Spec>;
}

type Path = readonly string[];

/**
 * Returns defaults without the fields that other policies below unset. A name matches the fields with a path that ends in the
 * name; only the outermost of these fields are removed, because a deeper field is part of something else. O(names +
 * fields × depth).
 */
export function withoutUnset<Spec>(
  spec: TracedSpec<Spec>,
  unset: readonly Unset<Spec>[],
  { policy }: ContextLayer<Spec>,
): TracedSpec<Spec> {
  if (unset.length === 0) return spec;
  const isOthers = ({ by }: Unset<Spec>): boolean => by.policy !== policy;
  const others = unset.every(isOthers) ? unset : unset.filter(isOthers);
  if (others.length === 0) return spec;
  const paths = new Map<ContextLayer<Spec>, Path[]>();
  for (const [{ by }, fieldPaths] of outermostOf(indexOf(others), spec.value)) {
    if (by === undefined) continue;
    const pathsBy = paths.get(by);
    if (pathsBy === undefined) paths.set(by, fieldPaths);
    else for (const path of fieldPaths) pathsBy.push(path);
  }
  return [...paths].reduce((reduced, [by, fieldPaths]) => removeFields(reduced, fieldPaths, by), spec);
}

/** Names by their parts, the last part first. */
interface NameIndex<Spec> {
  /** The longer names, by their next part towards the root. */
  readonly before: Map<string, NameIndex<Spec>>;
  /** The last layer that unsets the name that begins here; `undefined` if there is none. */
  by: ContextLayer<Spec> | undefined;
}

/** The index of each list. Usually all defaults above a policy are merged with the same list. */
const indexes = new WeakMap<readonly Unset<unknown>[], NameIndex<unknown>>();

function indexOf<Spec>(unset: readonly Unset<Spec>[]): NameIndex<Spec> {
  const knownIndex = indexes.get(unset) as NameIndex<Spec> | undefined;
  if (knownIndex !== undefined) return knownIndex;
  const root: NameIndex<Spec> = { before: new Map(), by: undefined };
  for (const { names, by } of unset) {
    for (const name of names) {
      let nameIndex = root;
      for (const part of name.split('.').reverse()) {
        const next = nameIndex.before.get(part) ?? { before: new Map(), by: undefined };
        nameIndex.before.set(part, next);
        nameIndex = next;
      }
      nameIndex.by = by;
    }
  }
  indexes.set(unset, root);
  return root;
}

/** A field on its way down from the root. */
interface Field {
  readonly key: string;
  /** The parts of the key, which may contain dots, the last part first. */
  readonly parts: readonly string[];
  readonly value: JsonValue | undefined;
  readonly holder: Field | undefined;
}

/** Returns, for each name that matches a field, the outermost fields with a path that ends in the name. */
function outermostOf<Spec>(names: NameIndex<Spec>, spec: JsonObject): ReadonlyMap<NameIndex<Spec>, Path[]> {
  const pathsByIndex = new Map<NameIndex<Spec>, Path[]>();
  let level = fieldsIn(spec, undefined);
  while (level.length > 0) {
    const onLevel = new Map<NameIndex<Spec>, Path[]>();
    for (const field of level) {
      for (const name of namesOf(field, names)) {
        if (pathsByIndex.has(name)) continue;
        const paths = onLevel.get(name);
        if (paths === undefined) onLevel.set(name, [pathOf(field)]);
        else paths.push(pathOf(field));
      }
    }
    for (const [name, paths] of onLevel) pathsByIndex.set(name, paths);
    level = level.flatMap((field) => (isJsonObject(field.value) ? fieldsIn(field.value, field) : []));
  }
  return pathsByIndex;
}

function fieldsIn(object: JsonObject, holder: Field | undefined): readonly Field[] {
  return Object.entries(object).map(([key, value]) => ({ key, parts: key.split('.').reverse(), value, holder }));
}

/** Returns the names that the path of a field ends in, the shortest first. */
function* namesOf<Spec>(field: Field, names: NameIndex<Spec>): Iterable<NameIndex<Spec>> {
  let name: NameIndex<Spec> | undefined = names;
  for (let ancestor: Field | undefined = field; ancestor !== undefined; ancestor = ancestor.holder) {
    for (const part of ancestor.parts) {
      name = name.before.get(part);
      if (name === undefined) return;
    }
    if (name.by !== undefined) yield name;
  }
}

function pathOf(field: Field): Path {
  const path: string[] = [];
  for (let holder: Field | undefined = field; holder !== undefined; holder = holder.holder) path.push(holder.key);
  return path.reverse();
}
