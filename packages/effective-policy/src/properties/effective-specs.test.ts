/**
 * The engine against a naive second implementation, on random small worlds. How this folder is made up:
 *
 * - `museum`, `rules`, `strategies`, `profiles`: the kinds of targets, and the options of policy kinds as plain data.
 * - `specs`, `random-rules`, `worlds`: what is random.
 * - `oracle/`: the second implementation, from `paths` over `layers` and `levels` to `reductions`.
 * - the tests: the specs (here), their `reasons`, the `independence` of what must not matter, and the `coverage` of all this.
 *
 * `PROPERTY_RUNS` sets how many worlds each of the 21 properties tries (default 40, `npm run check` 500): 100,000 in
 * all take `PROPERTY_RUNS=5300`. A failing world is printed, shrunk, with the seed that brings it back.
 */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { EffectivePolicy } from '../lib/answers/effective-policy.ts';
import { compute, contextsIn, holds, written } from './compute.fixture.ts';
import { type ExpectedPath, expectedPaths } from './oracle/expected-paths.fixture.ts';
import { type ProfileName, profileRules } from './profiles.fixture.ts';
import { anyRules } from './random-rules.fixture.ts';
import { narrowWorldsBy, type World, worldsBy } from './worlds.fixture.ts';

const worlds = worldsBy(anyRules);

function givesTheSpecOfTheOracle(property: string, worlds: fc.Arbitrary<World>): void {
  holds(property, worlds, (world) => {
    const specs = new Map(
      [...contextsIn(compute(world))].flatMap((context) => {
        const spec = context instanceof EffectivePolicy ? context.spec : undefined;
        return [...context.paths()].map((path) => [written(path), spec]);
      }),
    );
    expect(specs).toEqual(new Map(expectedPaths(world).map(({ path, spec }) => [path.join(' '), spec])));
  });
}

describe('effectivePolicies on random worlds', () => {
  givesTheSpecOfTheOracle('gives every path the spec that merging its policies one by one gives (M-09)', worlds);
  givesTheSpecOfTheOracle('does so where many policies are on one path', narrowWorldsBy(anyRules));

  holds('lists exactly the paths of each context, and counts them (H-07)', worlds, (world) => {
    const contexts = [...contextsIn(compute(world))].map((context) => {
      const paths = [...context.paths()].map(written).sort();
      expect(context.pathCount).toBe(BigInt(paths.length));
      const levels = context.levels.map(({ target }) => target.locator);
      return [keyOf(context.target.locator, levels), paths];
    });
    const expected = new Map<string, string[]>();
    for (const { target, levels, path } of expectedPaths(world)) {
      const key = keyOf(target, levels);
      expected.set(key, [...(expected.get(key) ?? []), path.join(' ')].sort());
    }
    expect(contexts.sort(byFirst)).toEqual([...expected].sort(byFirst));
  });

  holds('leaves uncovered exactly the contexts without a policy', worlds, (world) => {
    const uncovered = compute(world)
      .uncovered()
      .flatMap((context) => [...context.paths()].map(written));
    const expected = expectedPaths(world).filter(({ spec }) => spec === undefined);
    expect(uncovered.sort()).toEqual(expected.map(({ path }) => path.join(' ')).sort());
  });
});

describe('a profile gives every path the spec that the requirements say:', () => {
  for (const name of Object.keys(profileRules) as ProfileName[]) {
    givesTheSpecOfTheOracle(name, narrowWorldsBy(fc.constant(profileRules[name])));
  }
});

function keyOf(target: string, levels: ExpectedPath['levels']): string {
  return `${target} through ${levels.join(' ')}`;
}

function byFirst([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1;
}
