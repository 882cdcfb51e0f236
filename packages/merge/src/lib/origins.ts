import { formatPointer, isJsonObject, type JsonObject, type JsonValue, parsePointer } from '@policy-machinery/resource';

/**
 * Who set a value, as a tree beside the value: a leaf stands for all that is below it, so an origin is kept once for
 * each maximal subtree (M-24).
 */
export type Origins<Origin> = OriginLeaf<Origin> | OriginBranch<Origin>;

/** One value, or a whole subtree, and who set it: as a rule one, several where a strategy combined their values. */
export interface OriginLeaf<Origin> {
  readonly by: readonly Origin[];
  /** The value is absent because a patch said `null`. Later merges keep it absent. */
  readonly removed?: true;
}

/** An object whose fields were set by more than one. */
export interface OriginBranch<Origin> {
  readonly fields: ReadonlyMap<string, Origins<Origin>>;
}

/** A value together with the origins of its fields. */
export interface Traced<Origin, Value extends JsonValue = JsonObject> {
  readonly value: Value;
  readonly origins: Origins<Origin>;
}

/** A field and who set it. */
export interface FieldOrigin<Origin> {
  /** JSON Pointer to the field; `''` for the whole value. */
  readonly pointer: string;
  readonly by: readonly Origin[];
  /** The field is absent because this origin removed it. */
  readonly removed: boolean;
}

/**
 * Marks a value as set by one origin throughout.
 *
 * @param value The value; neither copied nor frozen.
 * @param origin Who set it.
 * @returns The value with its origin.
 */
export function trace<Origin>(value: JsonObject, origin: Origin): Traced<Origin> {
  return { value, origins: { by: [origin] } };
}

export function isLeaf<Origin>(origins: Origins<Origin>): origins is OriginLeaf<Origin> {
  return 'by' in origins;
}

/** The origins of one field, given those of the object that holds it. */
export function originsOfField<Origin>(origins: Origins<Origin>, key: string): Origins<Origin> | undefined {
  return isLeaf(origins) ? origins : origins.fields.get(key);
}

/** The origins of an object from those of its fields: a leaf where they all agree. */
export function joinOrigins<Origin>(
  fields: ReadonlyMap<string, Origins<Origin>>,
  whenEmpty: Origins<Origin>,
): Origins<Origin> {
  const [first] = fields.values();
  if (first === undefined) return whenEmpty;
  if (!isLeaf(first) || first.removed) return { fields };
  for (const field of fields.values()) if (field !== first && !sameLeaf(field, first)) return { fields };
  return first;
}

function sameLeaf<Origin>(a: Origins<Origin>, b: OriginLeaf<Origin>): boolean {
  return (
    isLeaf(a) && !a.removed && a.by.length === b.by.length && a.by.every((origin, index) => origin === b.by[index])
  );
}

/**
 * Who set the field at a pointer.
 *
 * @param origins The origins of the whole value.
 * @param pointer JSON Pointer to the field (RFC 6901).
 * @returns Everyone who set a part of it, in the order of its fields; nothing where nobody set it.
 * @throws {TypeError} When the pointer is malformed.
 */
export function originsAt<Origin>(origins: Origins<Origin>, pointer: string): readonly Origin[] {
  let at: Origins<Origin> | undefined = origins;
  for (const key of parsePointer(pointer)) {
    if (at === undefined || isLeaf(at)) break;
    at = at.fields.get(key);
  }
  return at === undefined ? [] : contributors(at);
}

/**
 * Everyone who set a part of a value. Whoever only removed a field counts too.
 *
 * @param origins The origins of the value.
 * @returns Each origin once, in the order of the fields.
 */
export function contributors<Origin>(origins: Origins<Origin>): readonly Origin[] {
  return [...new Set(listOrigins(origins).flatMap((field) => field.by))];
}

/**
 * Lists the maximal subtrees of a value by who set them.
 *
 * @param origins The origins of the value.
 * @returns One entry for each subtree, in the order of the fields.
 */
export function listOrigins<Origin>(origins: Origins<Origin>): readonly FieldOrigin<Origin>[] {
  const list: FieldOrigin<Origin>[] = [];
  const visit = (at: Origins<Origin>, path: readonly string[]): void => {
    if (isLeaf(at)) list.push({ pointer: formatPointer(path), by: at.by, removed: at.removed === true });
    else for (const [key, field] of at.fields) visit(field, [...path, key]);
  };
  visit(origins, []);
  return list;
}

/**
 * Lists each field of a value that holds no further fields (a scalar, a list, an empty object) and who set it.
 *
 * @param traced A value with its origins.
 * @returns One entry for each such field, those that were removed at the end of their object.
 */
export function listFields<Origin>(traced: Traced<Origin>): readonly (FieldOrigin<Origin> & { value?: JsonValue })[] {
  const list: (FieldOrigin<Origin> & { value?: JsonValue })[] = [];
  const visit = (value: JsonValue, origins: Origins<Origin>, path: readonly string[]): void => {
    if (!isJsonObject(value) || Object.keys(value).length === 0) {
      if (isLeaf(origins)) list.push({ pointer: formatPointer(path), by: origins.by, removed: false, value });
    } else {
      for (const [key, field] of Object.entries(value)) {
        const at = originsOfField(origins, key);
        if (at !== undefined) visit(field, at, [...path, key]);
      }
    }
    if (isLeaf(origins)) return;
    for (const [key, at] of origins.fields) {
      if (isLeaf(at) && at.removed) list.push({ pointer: formatPointer([...path, key]), by: at.by, removed: true });
    }
  };
  visit(traced.value, traced.origins, []);
  return list;
}
