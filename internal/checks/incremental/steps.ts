import { propertySeed } from '@policy-machinery/workload';

/** How many changes each random sequence has. */
export const steps = Number(process.env.INCREMENTAL_STEPS ?? 3);

/** How many sequences there are of each kind: `npm run check` runs 1,000. */
const sequences = Number(process.env.INCREMENTAL_SEQUENCES ?? 40);
const perTest = 20;

/** Returns the seeds of some sequences, which are the same for the same `PROPERTY_SEED`. */
export const seedsFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, place) => propertySeed + first + place);

/** The seeds of all sequences, by the name of the test that runs them. */
export const seedsByTest: readonly (readonly [string, readonly number[]])[] = Array.from(
  { length: sequences / perTest },
  (_, index) => {
    const seeds = seedsFrom(index * perTest, perTest);
    return [`seeds ${seeds[0]} to ${seeds.at(-1)}`, seeds];
  },
);

/** For one test, in milliseconds: for what hangs. A step takes about 10. */
export const timeout = 600_000 + steps * perTest * 1000;
