/** Worlds in which the ages of some policies are not known, against the same worlds with all ages. */
import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at } from '../conformance/policies.fixture.ts';
import type { EffectivePolicy } from '../lib/answers/effective-policy.ts';
import type { EffectivePolicies } from '../lib/effective-policies.ts';
import { compute, holds, type Spec, written } from './compute.fixture.ts';
import { anyRules } from './random-rules.fixture.ts';
import { narrowWorldsBy, type World, worldsBy } from './worlds.fixture.ts';

/** Worlds, and ages for the policies that have none. */
const worlds = fc.tuple(
  fc.oneof(worldsBy(anyRules), narrowWorldsBy(anyRules)),
  fc.array(fc.integer({ min: -1, max: 4 }), { minLength: 8, maxLength: 8 }),
);

const isAgeless = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'CarePolicy' && metadata.creationTimestamp === undefined;

function aged(world: World, ages: readonly number[]): World {
  const resources = world.resources.map((resource, index): KubernetesObject => {
    if (!isAgeless(resource)) return resource;
    return { ...resource, metadata: { ...resource.metadata, creationTimestamp: at(ages[index % ages.length] ?? 0) } };
  });
  return { ...world, resources };
}

/** Returns the effective policies by their target and paths. */
function byContext(effective: EffectivePolicies<Spec>): ReadonlyMap<string, EffectivePolicy<Spec>> {
  return new Map([...effective].map((policy) => [[...policy.paths()].map(written).join(), policy]));
}

describe('without the ages of some policies', () => {
  holds('an effective policy is one of its alternatives, whichever policies are older', worlds, ([world, ages]) => {
    const whole = byContext(compute(aged(world, ages)));
    for (const [context, { alternatives }] of byContext(compute(world))) {
      const specs = alternatives?.map(({ spec }) => spec);
      if (specs !== undefined) expect(specs).toContainEqual(whole.get(context)?.spec);
    }
  });

  holds('an outcome is undecided, or stays whichever policies are older', worlds, ([world, ages]) => {
    const whole = byContext(compute(aged(world, ages)));
    for (const [context, { shares }] of byContext(compute(world))) {
      const outcomes = new Map(whole.get(context)?.shares.map(({ policy, outcome }) => [policy.locator, outcome]));
      for (const { policy, outcome } of shares) {
        if (outcome !== 'undecided')
          expect([policy.name, outcome]).toEqual([policy.name, outcomes.get(policy.locator)]);
      }
    }
  });

  it('some outcomes are undecided', () => {
    const undecided = fc.sample(worlds, { numRuns: 200, seed: 7 }).filter(([world]) => {
      return [...compute(world)].some(({ shares }) => shares.some(({ outcome }) => outcome === 'undecided'));
    });
    expect(undecided.length).toBeGreaterThan(5);
  });

  holds('nothing is undecided with all ages', worlds, ([world, ages]) => {
    for (const { shares, alternatives } of compute(aged(world, ages))) {
      expect(alternatives).toHaveLength(1);
      expect(shares.map(({ outcome }) => outcome)).not.toContain('undecided');
    }
  });
});
