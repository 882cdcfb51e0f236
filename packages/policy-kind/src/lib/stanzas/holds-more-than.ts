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
  const pending: unknown[] = [value];
  for (let count = 0; pending.length > 0; count += 1) {
    if (count + pending.length > most) return true;
    const next = pending.pop();
    if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) pending.push(part);
  }
  return false;
}
