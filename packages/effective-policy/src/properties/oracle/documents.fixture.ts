/** Plain documents. Where a field was removed stands a mark, since a removal stays a removal (docs/semantics.md). */

export type Doc = { [field: string]: unknown };

/** Stands where a field was removed. */
export const gone = Symbol('removed');

export function isDoc(value: unknown): value is Doc {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a field of a document; `undefined` where there is none. */
export function fieldOf(value: unknown, key: string): unknown {
  return isDoc(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** What can be seen of a value: all but the marks. */
export function visible<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(visible) as Value;
  if (!isDoc(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== gone);
  return Object.fromEntries(fields.map(([key, field]) => [key, visible(field)])) as Value;
}

/** Returns whether something was removed from a value, or anywhere in it. */
export function holdsRemoval(value: unknown): boolean {
  return value === gone || (typeof value === 'object' && value !== null && Object.values(value).some(holdsRemoval));
}

/** A document with the marks of others, wherever it has nothing itself; a list only with those of a list that is the same. */
export function withRemovalsOf(value: unknown, ...others: readonly unknown[]): unknown {
  if (Array.isArray(value))
    return others.find((other) => Array.isArray(other) && isSame(visible(other), value)) ?? value;
  if (!isDoc(value)) return value;
  const result = { ...value };
  for (const other of others.filter(isDoc)) {
    for (const [key, field] of Object.entries(other)) {
      if (!Object.hasOwn(result, key)) {
        if (field === gone) result[key] = gone;
      } else result[key] = withRemovalsOf(result[key], field);
    }
  }
  return result;
}

/** Returns whether two values say the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isDoc(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
