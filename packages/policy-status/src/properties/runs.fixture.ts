/** Returns how many of some runs to make: all where `PROPERTY_RUNS` is 500, and a part of them in the quick loop. */
export function runs(count: number): number {
  return Math.ceil((count * Number(process.env.PROPERTY_RUNS ?? 40)) / 500);
}
