/** How many changes each random sequence has. A million in all: `INCREMENTAL_STEPS=500`. */
export const steps = Number(process.env.INCREMENTAL_STEPS ?? 3);

const sequences = 1_000;
const perTest = 50;

/** The seeds of all sequences, by the name of the test that runs them. */
export const seedsByTest: readonly (readonly [string, readonly number[]])[] = Array.from(
  { length: sequences / perTest },
  (_, index) => {
    const seeds = Array.from({ length: perTest }, (_, place) => index * perTest + place);
    return [`seeds ${seeds[0]} to ${seeds.at(-1)}`, seeds];
  },
);

/** For one test, in milliseconds: a step takes about 10. */
export const timeout = 60_000 + steps * perTest * 200;
