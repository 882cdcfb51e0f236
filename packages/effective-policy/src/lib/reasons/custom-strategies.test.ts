import { customStrategy, type MergeStrategy } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { createTopology } from '@policy-machinery/topology';
import { lineage, lineageRef } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { effectivePolicies } from '../effective-policies.ts';

const Access = z.object({ allow: z.array(z.string()), quiet: z.boolean(), note: z.string() }).partial();
type Access = z.input<typeof Access>;

/** A group has access only if all policies allow it. */
const allAgree = customStrategy<Access>({
  defaults(draft, { allow = [], quiet }) {
    draft.allow = (draft.allow ?? []).filter((group) => allow.includes(group));
    if (quiet === true) delete draft.note;
  },
});

/** Only what both policies name is kept. */
const inCommon = customStrategy<Access>({
  defaults: (draft, established) =>
    Object.fromEntries(Object.entries(draft).filter(([field]) => Object.hasOwn(established, field))),
});

/** Returns what applies to a route, with the outcome of each policy and what it lost. */
function mergedBy(gateway: Access, route: Access, strategies: Record<string, MergeStrategy> = { allAgree }) {
  const { kinds, kind, resources } = lineage('g1 > r1');
  const AccessPolicy = definePolicyKind({
    group: 'access.example.com',
    version: 'v1',
    kind: 'AccessPolicy',
    targets: [kind('g'), kind('r')],
    effectiveTargets: [kind('r')],
    spec: Access,
    stanzas: bareSpec({ strategies }),
  });
  const policy = (name: string, spec: object) => ({
    apiVersion: 'access.example.com/v1',
    kind: 'AccessPolicy',
    metadata: { name, namespace: 'default', creationTimestamp: '2026-03-01T09:00:00Z' },
    spec: { targetRef: lineageRef(name), ...spec },
  });
  const topology = createTopology({ targetKinds: kinds, policyKinds: [AccessPolicy] });
  topology.apply({ upsert: [...resources, policy('g1', gateway), policy('r1', route)] });
  const view = effectivePolicies(topology, AccessPolicy);
  const [effective] = view;
  const told = (name: string) => {
    const share = effective?.shares.find(({ policy: it }) => it.name === `default/${name}`);
    return [share?.outcome, ...(share?.losses ?? []).map(({ pointer }) => pointer)];
  };
  return { spec: effective?.spec, gateway: told('g1'), route: told('r1') };
}

describe('a policy merged by a custom strategy', () => {
  it('is partly in force where each policy has removed a value of the other', () => {
    expect(mergedBy({ allow: ['staff', 'partners'] }, { allow: ['staff', 'guests'] })).toEqual({
      spec: { allow: ['staff'] },
      gateway: ['partly-enforced', '/allow'],
      route: ['partly-enforced', '/allow'],
    });
  });

  it('is in force where it has removed all that others have, and nothing is left', () => {
    const { spec, gateway, route } = mergedBy({ allow: ['partners'] }, { allow: ['guests'] });
    expect(spec).toEqual({ allow: [] });
    expect([gateway[0], route[0]]).toEqual(['partly-enforced', 'partly-enforced']);
  });

  it('is in force where it decides alone, and the other has lost', () => {
    expect(mergedBy({ allow: ['staff'] }, { allow: ['staff', 'guests'] })).toMatchObject({
      gateway: ['enforced'],
      route: ['overridden', ''],
    });
  });

  it('does not count where it changes nothing', () => {
    expect(mergedBy({ allow: ['staff', 'guests'] }, { allow: ['staff'] })).toMatchObject({
      gateway: ['overridden', ''],
      route: ['enforced'],
    });
  });

  it('is in force where it removes a field of another, although it holds no value', () => {
    const { spec, gateway, route } = mergedBy({ allow: ['staff'], quiet: true }, { allow: ['staff'], note: 'hello' });
    expect(spec).toEqual({ allow: ['staff'] });
    expect([gateway[0], route[0], route[1]]).toEqual(['partly-enforced', 'partly-enforced', '/note']);
  });

  it('is in force where it has a recipe leave out fields of another, whichever of them is established', () => {
    const { spec, gateway, route } = mergedBy({ quiet: true }, { note: 'hello' }, { inCommon });
    expect(spec).toEqual({});
    expect([gateway[0], route[0]]).toEqual(['partly-enforced', 'partly-enforced']);
  });

  it('is overridden where a recipe takes the values of another, and leaves out nothing', () => {
    expect(mergedBy({ quiet: true }, { quiet: false }, { inCommon })).toEqual({
      spec: { quiet: false },
      gateway: ['overridden', ''],
      route: ['enforced'],
    });
  });
});
