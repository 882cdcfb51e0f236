/**
 * The changes between two values of JSON: a new value; for an object, the changed and removed fields; for a list, its length and the places that have
 * changed. The rows of lists are sent whole, unless they are objects.
 */
export type Patch =
  | { readonly value: unknown }
  | { readonly fields: Readonly<Record<string, Patch>>; readonly gone?: readonly string[] }
  | { readonly length: number; readonly places: readonly (readonly [place: number, change: Patch])[] };

/** Returns the changes from a value to another; `undefined` for none. */
export function patchBetween(previousValue: unknown, currentValue: unknown): Patch | undefined {
  if (previousValue === currentValue) return undefined;
  if (isObject(previousValue) && isObject(currentValue)) {
    const changes = Object.entries(currentValue).flatMap(([name, value]) => {
      const change = patchBetween(previousValue[name], value);
      return change === undefined ? [] : [[name, change] as const];
    });
    const removedNames = Object.keys(previousValue).filter((name) => !Object.hasOwn(currentValue, name));
    if (changes.length + removedNames.length === 0) return undefined;
    return { fields: Object.fromEntries(changes), ...(removedNames.length > 0 && { gone: removedNames }) };
  }
  if (!Array.isArray(previousValue) || !Array.isArray(currentValue)) return { value: currentValue };
  const places: (readonly [number, Patch])[] = [];
  for (const [place, value] of currentValue.entries()) {
    const change = place < previousValue.length ? patchOfRow(previousValue[place], value) : { value };
    if (change !== undefined) places.push([place, change]);
  }
  return places.length === 0 && previousValue.length === currentValue.length
    ? undefined
    : { length: currentValue.length, places };
}

/** Returns the changes in the row of a list: rows are sent whole, unless they are objects. */
export function patchOfRow(previousRow: unknown, currentRow: unknown): Patch | undefined {
  if (isObject(previousRow) && isObject(currentRow)) return patchBetween(previousRow, currentRow);
  return previousRow === currentRow || JSON.stringify(previousRow) === JSON.stringify(currentRow)
    ? undefined
    : { value: currentRow };
}

/** Returns a value with a patch applied. Parts without changes are the same values as before. */
export function patched<Value>(value: Value, patch: Patch): Value;
export function patched(value: unknown, patch: Patch): unknown {
  if ('value' in patch) return patch.value;
  if ('fields' in patch) {
    const fields = isObject(value) ? value : {};
    const changes = Object.entries(patch.fields).map(([name, change]) => [name, patched(fields[name], change)]);
    const result: Record<string, unknown> = { ...fields, ...Object.fromEntries(changes) };
    for (const name of patch.gone ?? []) delete result[name];
    return result;
  }
  const list: unknown[] = Array.isArray(value) ? value.slice(0, patch.length) : [];
  for (const [place, change] of patch.places) list[place] = patched(list[place], change);
  return list;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
