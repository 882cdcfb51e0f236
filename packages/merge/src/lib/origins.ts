import type { JsonObject, JsonValue } from '@policy-machinery/resource';

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

/** An object whose fields were set, or removed, by more than one; or a list whose items were. */
export interface OriginBranch<Origin> {
  readonly fields: ReadonlyMap<string, Origins<Origin>>;
  /** Of a list: the fields by which its items are told apart. */
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
  return isLeaf(a) && !a.removed && a.by.length === b.by.length && a.by.every((origin) => b.by.includes(origin));
}
