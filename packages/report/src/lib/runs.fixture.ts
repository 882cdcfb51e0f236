/** Returns how many of a number of runs to do: all if `PROPERTY_RUNS` is 500, a part of them in the quick loop. */
export function runs(count: number): number {
  return Math.ceil((count * Number(process.env.PROPERTY_RUNS ?? 40)) / 500);
}
