import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { TargetNode } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { carryOut, cluster, gateway, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import { planStatus } from '../plan/plan-status.ts';
import { reportPolicies } from './policy-report.ts';

const resources = [
  gateway('east'),
  gateway('west'),
  route('both', ['east', 'west']),
  route('cart', ['west']),
  timeouts('on-both', ['HTTPRoute both'], { request: 1 }),
  timeouts('on-cart', ['HTTPRoute cart'], { request: 2 }),
  timeouts('on-east', ['Gateway east'], { request: 3 }),
  timeouts('on-west', ['Gateway west'], { request: 4 }),
  timeouts('on-no-listener', ['Gateway west#http'], { request: 5 }),
];
const below = (name: string) => ({
  only: ({ ref }: TargetNode) => ref.kind !== 'Gateway' || ref.name === name,
});
const { topology, effective } = cluster(TimeoutPolicy, ...resources);

describe('effective policies of some Gateways', () => {
  it('have reports for these Gateways alone', () => {
    const reports = reportPolicies(effectivePolicies(topology, TimeoutPolicy, below('east')));
    const entries = reports.map(({ policy: { resource }, ancestors }) => [
      resource.metadata.name,
      ancestors.map(({ ancestorRef, outcome }) => `${ancestorRef.name}: ${outcome}`),
    ]);
    expect(entries).toEqual([
      ['on-both', ['east: enforced']],
      ['on-cart', []],
      ['on-east', ['east: overridden']],
      ['on-no-listener', []],
      ['on-west', []],
    ]);
  });

  it('have, for all Gateways together, the reports of the whole cluster', () => {
    const entriesOf = (options: Parameters<typeof effectivePolicies>[2]) =>
      reportPolicies(effectivePolicies(topology, TimeoutPolicy, options)).flatMap(({ policy, ancestors }) =>
        ancestors.map((it) => JSON.stringify([policy.locator, it])),
      );
    expect([...entriesOf(below('east')), ...entriesOf(below('west'))].sort()).toEqual([...entriesOf({})].sort());
    expect(reportPolicies(effective)).toHaveLength(5);
  });

  it('have plans that leave each other alone, if each has its own controller name', () => {
    const { topology } = cluster(TimeoutPolicy, ...resources);
    const replicas = ['east', 'west'].map((name) => effectivePolicies(topology, TimeoutPolicy, below(name)));
    const plans = () =>
      replicas.map((view, index) =>
        planStatus(view, { controllerName: `replica-${index}.example.com/timeouts`, now: new Date(0) }),
      );
    for (let round = 0; round < 2; round += 1)
      for (const index of [0, 1]) carryOut(topology, plans()[index]?.writes ?? []);
    expect(plans().map(({ writes }) => writes)).toEqual([[], []]);
  });
});
