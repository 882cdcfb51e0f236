/**
 * The changes between two values of JSON: a new value; for an object, the changed and removed fields; for a list, its length and the places that have
 * changed. The rows of lists are sent whole, unless they are objects.
 */
export type Patch =
  | { readonly value: unknown }
  | { readonly fields: Readonly<Record<string, Patch>>; readonly gone?: readonly string[] }
  | { readonly length: number; readonly places: readonly (readonly [place: number, change: Patch])[] };

/** Returns the changes from a value to another; `undefined` for none. */
export function patchBetween(before: unknown, after: unknown): Patch | undefined {
  if (before === after) return undefined;
  if (isObject(before) && isObject(after)) {
    const changes = Object.entries(after).flatMap(([name, value]) => {
      const change = patchBetween(before[name], value);
      return change === undefined ? [] : [[name, change] as const];
    });
    const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
    if (changes.length + gone.length === 0) return undefined;
    return { fields: Object.fromEntries(changes), ...(gone.length > 0 && { gone }) };
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return { value: after };
  const places: (readonly [number, Patch])[] = [];
  for (const [place, value] of after.entries()) {
    const change = place < before.length ? patchOfRow(before[place], value) : { value };
    if (change !== undefined) places.push([place, change]);
  }
  return places.length === 0 && before.length === after.length ? undefined : { length: after.length, places };
}

/** Returns the changes in the row of a list: rows are sent whole, unless they are objects. */
export function patchOfRow(before: unknown, after: unknown): Patch | undefined {
  if (isObject(before) && isObject(after)) return patchBetween(before, after);
  return before === after || JSON.stringify(before) === JSON.stringify(after) ? undefined : { value: after };
}

/** Returns a value with a patch applied. Parts without changes are the same values as before. */
export function patched<Value>(before: Value, patch: Patch): Value;
export function patched(before: unknown, patch: Patch): unknown {
  if ('value' in patch) return patch.value;
  if ('fields' in patch) {
    const fields = isObject(before) ? before : {};
    const changes = Object.entries(patch.fields).map(([name, change]) => [name, patched(fields[name], change)]);
    const after: Record<string, unknown> = { ...fields, ...Object.fromEntries(changes) };
    for (const name of patch.gone ?? []) delete after[name];
    return after;
  }
  const list: unknown[] = Array.isArray(before) ? before.slice(0, patch.length) : [];
  for (const [place, change] of patch.places) list[place] = patched(list[place], change);
  return list;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
