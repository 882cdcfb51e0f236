import type { JsonObject, JsonValue } from '@policy-machinery/resource';

/**
 * Who set a value, as a tree that parallels the value. A leaf represents everything below it, so an origin is stored once for
 * each largest subtree.
 */
export type Origins<Origin> = OriginLeaf<Origin> | OriginBranch<Origin>;

/** One value or a whole subtree, with its origins: usually one, or several if a strategy combined their values. */
export interface OriginLeaf<Origin> {
  readonly by: readonly Origin[];
  /** The value is absent because a patch has `null`. Later merges keep it absent. */
  readonly removed?: true;
}

/** An object or list with fields or items of different origins. */
export interface OriginBranch<Origin> {
  readonly fields: ReadonlyMap<string, Origins<Origin>>;
  /** For a list: the fields that identify its items. */
  readonly keys?: readonly string[];
}

/** A value together with the origins of its fields. */
export interface Traced<Origin, Value extends JsonValue = JsonObject> {
  readonly value: Value;
  readonly origins: Origins<Origin>;
}

/**
 * Marks a value as set by one origin throughout.
 *
 * @param value The value; neither copied nor frozen.
 * @param origin The origin of the value.
 * @returns The value with its origin.
 */
export function trace<Origin>(value: JsonObject, origin: Origin): Traced<Origin> {
  return { value, origins: { by: [origin] } };
}

export function isLeaf<Origin>(origins: Origins<Origin>): origins is OriginLeaf<Origin> {
  return 'by' in origins;
}

export function originsOfField<Origin>(origins: Origins<Origin>, key: string): Origins<Origin> | undefined {
  return isLeaf(origins) ? origins : origins.fields.get(key);
}

/** Returns the origins of an object from the origins of its fields: a leaf if they all agree. */
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
  return isLeaf(a) && !a.removed && a.by.length === b.by.length && a.by.every((origin) => b.by.includes(origin));
}
