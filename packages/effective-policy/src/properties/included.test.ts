/** Views of some objects against the view of all. */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { EffectivePolicy } from '../lib/answers/effective-policy.ts';
import { type EffectivePolicies, effectivePolicies } from '../lib/effective-policies.ts';
import { compute, contextsIn, holds, type Spec, written } from './compute.fixture.ts';
import { anyRules } from './random-rules.fixture.ts';
import { narrowWorldsBy, type World, worldsBy } from './worlds.fixture.ts';

const worlds = fc.oneof(worldsBy(anyRules), narrowWorldsBy(anyRules));

/** Some of the objects of a world, by their places. */
const excluded = fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 3 });

/** The view of all objects, and that of all but some. */
function views(world: World, places: readonly number[]) {
  const all = compute(world);
  const objects = [...all.topology.targets].filter(({ ref }) => ref.kind !== 'Namespace');
  const without = new Set(places.map((place) => objects[place % objects.length]?.locator));
  const some = effectivePolicies(all.topology, all.kind, { only: ({ locator }) => !without.has(locator) });
  return { all, some, isIncluded: (locator: string | undefined) => !without.has(locator) };
}

describe('effectivePolicies of some objects on random worlds', () => {
  const samples = fc.tuple(worlds, excluded);

  holds('are those of the paths that lead through no other object', samples, ([world, places]) => {
    const { all, some, isIncluded } = views(world, places);
    const specs = (effective: EffectivePolicies<Spec>) =>
      [...contextsIn(effective)].flatMap((context) => {
        const spec = context instanceof EffectivePolicy ? context.spec : undefined;
        const paths = [...context.paths()].filter((path) => path.every(({ object }) => isIncluded(object.locator)));
        return paths.map((path) => [written(path), spec] as const);
      });
    expect(new Map(specs(some))).toEqual(new Map(specs(all)));
    expect([...contextsIn(some)].reduce((sum, { pathCount }) => sum + pathCount, 0n)).toBe(BigInt(specs(all).length));
  });

  holds(
    'have the same scopes of each policy, one by one and in groups, below none of the others',
    samples,
    (sample) => {
      const { some, isIncluded } = views(...sample);
      for (const { node } of some.policies) {
        const groups = some.reachInGroups(node.locator);
        const outcomes = new Set(groups.map(({ share }) => share.outcome));
        expect(outcomes).toEqual(new Set(some.reach(node.locator).map(({ outcome }) => outcome)));
        const ancestors = groups.flatMap((group) => group.ancestors);
        expect(ancestors.filter(({ object }) => !isIncluded(object.locator))).toEqual([]);
      }
    },
  );

  holds('say of no other object that a policy affects it', samples, ([world, places]) => {
    const { some, isIncluded } = views(world, places);
    const affected = some.affected.map(({ target }) => target.object.locator);
    expect(affected.filter((locator) => !isIncluded(locator))).toEqual([]);
  });

  holds('find along each path what applies to it', samples, ([world, places]) => {
    const { some } = views(world, places);
    for (const context of some) {
      for (const path of context.paths()) expect(some.along(path).at(-1)?.isSame(context)).toBe(true);
    }
  });
});
