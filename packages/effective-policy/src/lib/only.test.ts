import { customStrategy } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute, specsByPath } from '../conformance/policies.fixture.ts';
import { effectivePolicies } from './effective-policies.ts';

/** Two gateways; one route below both, and one below each. */
const { kind, kinds, resources } = lineage('g1 > r1', 'g1 > r2', 'g2 > r2', 'g2 > r3');
let merges = 0;
const counted = customStrategy<Record<string, unknown>>({
  defaults: (challenger, established) => {
    merges += 1;
    return { ...established, ...challenger };
  },
});
const Colors = definePolicyKind({
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  spec: anySpec,
  targets: [kind('g'), kind('r')],
  effectiveTargets: [kind('r')],
  ancestors: [kind('g')],
  stanzas: defaultsAndOverrides({ strategies: { counted } }),
});
const policies = [
  colorPolicy('p1', 'g1', { red: 1 }),
  colorPolicy('p2', 'g2', { red: 2 }),
  colorPolicy('p3', 'r2', { green: 3 }),
];

const gateway = (name: string, labels: Record<string, string>): KubernetesObject => {
  const found = resources.find(({ metadata }) => metadata.name === name) as KubernetesObject;
  return { ...found, metadata: { ...found.metadata, labels } };
};
/** Gateways of one class, and all that is not a gateway. */
const only = ({ ref, resource }: TargetNode): boolean =>
  ref.kind !== kind('g').kind || resource.metadata.labels?.class === 'ours';
const others = resources.filter((resource) => resource.kind !== kind('g').kind);
const cluster = [...others, ...policies, gateway('g1', { class: 'ours' }), gateway('g2', { class: 'theirs' })];
const locatorOf = (name: string): string => `${name[0]}.lineage.example.com:default/${name}`;
const policyOf = (name: string): string => `colorpolicy.colors.example.com:default/${name}`;

describe('effectivePolicies with `only`', () => {
  it('computes contexts below these objects only: a route below two gateways has the contexts of one', () => {
    const { effective } = compute(Colors, kinds, cluster, { only });
    expect(specsByPath(effective)).toEqual({ 'g1>r1': { red: 1 }, 'g1>r2': { red: 1, green: 3 } });
    expect(effective.of(locatorOf('r3'))).toEqual([]);
    expect(effective.reach(policyOf('p2'))).toEqual([]);
    expect(effective.affected.map(({ target }) => target.ref.name)).toEqual(['g1', 'r1', 'r2']);
  });

  it('merges no other contexts', () => {
    const mergesWith = (options: { readonly only?: typeof only }): number => {
      const { effective } = compute(Colors, kinds, cluster, options);
      merges = 0;
      for (const { spec, shares } of effective) void [spec, shares];
      return merges;
    };
    expect(mergesWith({})).toBe(2 * mergesWith({ only }));
  });

  it('follows a gateway that changes its class, and names everything that differs', () => {
    const { topology, effective } = compute(Colors, kinds, cluster, { only });
    for (const { node } of effective.policies) effective.reachInGroups(node.locator);
    void effective.affected;
    effective.takeChanges();
    topology.apply({ upsert: [gateway('g2', { class: 'ours' }), gateway('g1', { class: 'theirs' })] });
    const { targets, policies, affectedObjects } = effective.takeChanges();
    expect(targets).toEqual(['r1', 'r2', 'r3'].map(locatorOf));
    expect(policies).toEqual(['p1', 'p2', 'p3'].map(policyOf));
    expect(affectedObjects).toEqual(expect.arrayContaining(['g1', 'g2', 'r1', 'r2', 'r3'].map(locatorOf)));
    expect(specsByPath(effective)).toEqual({ 'g2>r2': { red: 2, green: 3 }, 'g2>r3': { red: 2 } });
    expect(specsByPath(effective)).toEqual(specsByPath(effectivePolicies(topology, Colors, { only })));
  });

  it('names the differences after a gateway changes its class, even without earlier questions', () => {
    const { topology, effective } = compute(Colors, kinds, cluster, { only });
    effective.takeChanges();
    topology.apply({ upsert: [gateway('g2', { class: 'ours' })] });
    const { targets, policies } = effective.takeChanges();
    expect(targets).toEqual(expect.arrayContaining(['r2', 'r3'].map(locatorOf)));
    expect(policies).toEqual(expect.arrayContaining(['p2', 'p3'].map(policyOf)));
  });

  it('manages only these objects, so that other controllers report the rest', () => {
    const { topology, effective } = compute(Colors, kinds, cluster, { only });
    const managed = [...topology.targets].filter((target) => effective.manages(target));
    expect(managed.map(({ ref }) => ref.name)).toEqual(['g1', 'r1', 'r2', 'r3']);
  });

  it('leaves out an object if the function throws for it', () => {
    const failing = ({ ref }: TargetNode): boolean => {
      if (ref.name === 'g1') throw new TypeError('unexpected');
      return true;
    };
    const { effective } = compute(Colors, kinds, cluster, { only: failing });
    expect(Object.keys(specsByPath(effective))).toEqual(['g2>r2', 'g2>r3']);
  });

  it('applies in another topology, too', () => {
    const { topology, effective } = compute(Colors, kinds, cluster, { only });
    const other = effective.in(topology.with({ upsert: [gateway('g2', { class: 'ours' })] }).topology);
    expect(Object.keys(specsByPath(other)).sort()).toEqual(['g1>r1', 'g1>r2', 'g2>r2', 'g2>r3']);
  });
});
