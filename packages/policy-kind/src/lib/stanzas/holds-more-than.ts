/** Larger specs are refused. The API server stores about 1.5 MiB in one object, which ordinary specs reach at about this size. */
export const maxValues = 100_000;

/**
 * Returns whether a JSON value consists of more than a number of values, including itself. A value in several places counts in
 * each.
 *
 * @param value The value, without cycles.
 * @param most The maximal number. O(that number).
 */
export function holdsMoreThan(value: unknown, most: number): boolean {
  return left(value, most) < 0;
}

/** Returns how many of a number of values may follow a value; a negative number if it consists of more. */
function left(value: unknown, most: number): number {
  let rest = most - 1;
  if (typeof value !== 'object' || value === null) return rest;
  for (const key of Object.keys(value)) {
    if (rest < 0) return rest;
    rest = left((value as Readonly<Record<string, unknown>>)[key], rest);
  }
  return rest;
}
