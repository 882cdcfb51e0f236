/** Larger specs are refused. The API server stores about 1.5 MiB in one object, which is as much in any ordinary spec. */
export const maxValues = 100_000;

/**
 * Whether a JSON value is made up of more than so many values, itself and all that it holds. What stands in several places counts in
 * each.
 *
 * @param value The value, without cycles.
 * @param most How many it may be. O(that many).
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
