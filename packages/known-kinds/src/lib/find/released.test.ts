import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { crd, references } from '../crd/crd.fixture.ts';
import { type FindInput, findPolicyKinds } from './find-policy-kinds.ts';

const group = 'security.istio.io';
const release = 'Istio v1.99.0';

/** A definition of a kind of the table. */
function definition(fields: JsonObject, conversion?: string): KubernetesObject {
  const { spec, ...others } = crd({
    kind: 'RequestAuthentication',
    versions: ['v1', 'v1beta1'],
    fields: { targetRefs: references(), ...fields },
  });
  const more = conversion === undefined ? {} : { conversion: { strategy: conversion } };
  return { ...others, spec: { ...(spec as JsonObject), group, ...more } };
}

function policy(spec: JsonObject, { version = 'v1', metadata = {} } = {}): KubernetesObject {
  return {
    apiVersion: `${group}/${version}`,
    kind: 'RequestAuthentication',
    metadata: { name: 'a', namespace: 'b', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
    spec,
  };
}

/** Returns the faults of a policy, and the found kind. */
function reading(resource: KubernetesObject, input: Partial<FindInput>) {
  const { mesh } = findPolicyKinds({ ...input, resources: [resource, ...(input.resources ?? [])] });
  const [found] = mesh?.kinds ?? [];
  return { found, issues: found?.kind.read(resource).issues ?? [] };
}

describe('a definition of a release', () => {
  const attempts = { attempts: { type: 'integer', minimum: 1 } };
  const released = [{ definition: definition(attempts), release }];

  it('checks the policies of a kind, with faults that name the release', () => {
    const { found, issues } = reading(policy({ attempts: 0 }), { released });
    expect(found?.definedBy).toEqual({ shortNames: [], release });
    expect(issues).toMatchObject([
      { code: 'invalid-spec', pointer: '/spec/attempts', message: expect.stringContaining(release) },
    ]);
  });

  it('does not refuse fields that it does not have', () => {
    expect(reading(policy({ attempts: 1, futureField: {} }), { released }).issues).toEqual([]);
  });

  it('does not check policies of a cluster', () => {
    const stored = policy({ attempts: 0 }, { metadata: { resourceVersion: '1' } });
    expect(reading(stored, { released }).issues).toEqual([]);
  });

  it('gives way to a definition among the resources', () => {
    const resources = [definition({ attempts: { type: 'integer' } })];
    const { found, issues } = reading(policy({ attempts: 0 }), { resources, released });
    expect(found?.definedBy).toEqual({ shortNames: [] });
    expect(issues).toEqual([]);
  });

  it('finds no kind without objects', () => {
    expect(findPolicyKinds({ resources: [], released })).toMatchObject({ kinds: [], mesh: undefined });
  });
});

describe('versions of a definition', () => {
  const both = [policy({}), policy({}, { version: 'v1beta1', metadata: { name: 'c' } })] as const;
  const codes = (conversion?: string) =>
    reading(both[1], { resources: [both[0], definition({}, conversion)] }).issues.map(({ code }) => code);

  it.each([undefined, 'None'])('are the same without conversion (%s)', (conversion) => {
    expect(codes(conversion)).toEqual([]);
  });

  it('are not the same if a webhook converts them', () => {
    expect(codes('Webhook')).toEqual(['other-version']);
  });
});
