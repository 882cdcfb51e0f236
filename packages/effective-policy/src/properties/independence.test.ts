/** What must make no difference to effective policies, on random small worlds. */
import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { at, deepFreeze } from '../conformance/policies.fixture.ts';
import { compute, computeWithIssues, holds, summaryOf } from './compute.fixture.ts';
import { carePolicy, group, ranks } from './museum.fixture.ts';
import { anyRules } from './random-rules.fixture.ts';
import type { Rules } from './rules.fixture.ts';
import { narrowWorldsBy, type World } from './worlds.fixture.ts';

const worlds = narrowWorldsBy(anyRules);

describe('effectivePolicies on random worlds', () => {
  const shuffled = worlds.chain((world) =>
    fc
      .shuffledSubarray([...world.resources], { minLength: world.resources.length })
      .map((resources) => [world, { ...world, resources }] as const),
  );
  holds('do not depend on the order of the resources (M-27)', shuffled, ([world, other]) => {
    expect(summaryOf(compute(other))).toEqual(summaryOf(compute(world)));
  });

  holds('neither change nor freeze what they are given, and take what is frozen', worlds, (world) => {
    const before = JSON.stringify(world.resources);
    const summary = summaryOf(compute(world));
    expect(JSON.stringify(world.resources)).toBe(before);
    expect(partsOf(world.resources).some((part) => Object.isFrozen(part))).toBe(false);

    const resources = deepFreeze(structuredClone(world.resources) as KubernetesObject[]);
    expect(summaryOf(compute({ ...world, resources }))).toEqual(summary);
  });

  const withInvalid = worlds.chain((world) =>
    fc.subarray(invalidPolicies(world), { minLength: 1 }).map((invalid) => [world, invalid] as const),
  );
  holds('are the same beside invalid policies, each of which is reported (C-13)', withInvalid, ([world, invalid]) => {
    const { effective, issues } = computeWithIssues({ ...world, resources: [...invalid, ...world.resources] });
    expect(summaryOf(effective)).toEqual(summaryOf(compute(world)));
    const errors = issues.filter(({ severity, code }) => severity === 'error' && !code.startsWith('missing-'));
    const reported = [...new Set(errors.map(({ resource }) => resource?.split('/').at(-1)))];
    expect(reported.sort()).toEqual(invalid.map(({ metadata }) => metadata.name).sort());
  });
});

/** Policies on every object of a narrow world that would win, by their age and place, if they were valid. */
function invalidPolicies({ rules }: World): KubernetesObject[] {
  const targetRefs = ranks.map((kind, index) => ({ group, kind, name: `o${index}`, namespace: 'east' }));
  return invalidSpecs(rules).map((spec, index) => ({
    apiVersion: `${carePolicy.group}/v1`,
    kind: carePolicy.kind,
    metadata: { name: `invalid-${index}`, namespace: 'east', creationTimestamp: at(-1) },
    spec: { targetRefs, ...spec } as KubernetesObject['spec'],
  }));
}

/** Specs that the rules do not allow. */
function invalidSpecs({ dialect, ...rules }: Rules): readonly object[] {
  const tooDeep = Array.from({ length: 200 }).reduce<object>((inner) => ({ p: inner }), {});
  return [
    { p: Number.NaN },
    tooDeep,
    ...(dialect.field === false ? [] : [{ n: 1, [dialect.field]: 'unheard of' }]),
    ...(dialect.stanzas === 'bare' ? [] : [{ defaults: 'a text' }]),
    ...(dialect.stanzas === 'bare' || dialect.stanzas === 'all' ? [] : [{ n: 1, overrides: { n: 1 } }]),
    ...(rules.unset ? [{ n: 1, unset: 'n' }] : []),
    ...(rules.conditions === undefined ? [] : [{ n: 1, when: 'faulty' }, { overrides: { n: 1, when: 1 } }]),
  ];
}

function partsOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(partsOf)];
}
