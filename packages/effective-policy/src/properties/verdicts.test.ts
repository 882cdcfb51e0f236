/** Verdicts against the oracle: on each path, it is as if the policies that hold nothing there did not exist. */
import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { EffectivePolicy } from '../lib/answers/effective-policy.ts';
import { effectivePolicies } from '../lib/effective-policies.ts';
import type { Verdict } from '../lib/levels/verdict.ts';
import { compute, contextsIn, holds, written } from './compute.fixture.ts';
import { carePolicy } from './museum.fixture.ts';
import { expectedPaths } from './oracle/expected-paths.fixture.ts';
import { anyRules } from './random-rules.fixture.ts';
import { narrowWorldsBy, type World, worldsBy } from './worlds.fixture.ts';

/** For each policy in turn: no verdict, one about it wherever it is, or one about a few targets, by their places. */
const rulings = fc.array(
  fc.oneof(
    fc.constant(undefined),
    fc.constant('everywhere' as const),
    fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
  ),
  { minLength: 6, maxLength: 6 },
);
type Rulings = typeof rulings extends fc.Arbitrary<infer Value> ? Value : never;

const isPolicy = ({ kind }: KubernetesObject): boolean => kind === carePolicy.kind;

/** The verdicts on policies, by their names. */
function verdictsIn(world: World, rulings: Rulings): ReadonlyMap<string, Verdict> {
  const targets = [...compute(world).topology.targets].filter(({ ref: { kind } }) => kind !== 'Namespace');
  const verdicts = new Map<string, Verdict>();
  for (const [index, { metadata }] of world.resources.filter(isPolicy).entries()) {
    const ruling = rulings[index];
    if (ruling === undefined) continue;
    const ancestors =
      ruling === 'everywhere' ? undefined : ruling.map((at) => targets[at % targets.length]?.locator ?? '');
    verdicts.set(metadata.name, { message: 'No.', ...(ancestors === undefined ? {} : { ancestors }) });
  }
  return verdicts;
}

/** The specs by path, as the oracle merges them without some policies. */
function specsWithout(names: ReadonlySet<string>, world: World): ReadonlyMap<string, unknown> {
  const resources = world.resources.filter((it) => !isPolicy(it) || !names.has(it.metadata.name));
  return new Map(expectedPaths({ ...world, resources }).map(({ path, spec }) => [path.join(' '), spec]));
}

function holdsOn(name: string, worlds: fc.Arbitrary<World>): void {
  holds(name, fc.tuple(worlds, rulings), ([world, rulings]) => {
    const verdicts = verdictsIn(world, rulings);
    const { topology, kind } = compute(world);
    const effective = effectivePolicies(topology, kind, {
      verdict: ({ resource }) => verdicts.get(resource.metadata.name),
    });
    const known = new Map<string, ReadonlyMap<string, unknown>>();
    for (const context of contextsIn(effective)) {
      const spec = context instanceof EffectivePolicy ? context.spec : undefined;
      for (const path of context.paths()) {
        const met = new Set(path.map(({ locator }) => locator));
        const barred = [...verdicts].filter(
          ([, { ancestors }]) => ancestors?.some((it) => met.has(it as string)) ?? true,
        );
        const names = new Set(barred.map(([policy]) => policy));
        const key = [...names].join(' ');
        const expected = known.get(key) ?? specsWithout(names, world);
        known.set(key, expected);
        expect(spec).toEqual(expected.get(written(path)));
        for (const { policies } of context.levels) {
          for (const { resource } of policies) expect(names.has(resource.metadata.name)).toBe(false);
        }
      }
    }
  });
}

describe('effectivePolicies with verdicts on random worlds', () => {
  holdsOn('gives every path the spec that it has without the policies that hold nothing there', worldsBy(anyRules));
  holdsOn('does so where many policies are on one path', narrowWorldsBy(anyRules));
});
