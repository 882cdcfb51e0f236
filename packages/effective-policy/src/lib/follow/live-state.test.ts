import { patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';
import { effectivePolicies } from '../effective-policies.ts';
import { Verdicts } from '../levels/verdict.ts';
import { LiveState } from './live-state.ts';

const family = lineage('t1 > l1 > b1', 't1 > r1 > b1');
const Colors = definePolicyKind({
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  spec: anySpec,
  targets: [family.kind('t'), family.kind('l')],
  effectiveTargets: [family.kind('b')],
  stanzas: bareSpec({ strategies: { patch } }),
});

it('keeps few lists of arrivals, however often policies come and go, and the same answers', () => {
  const { topology } = compute(Colors, family.kinds, family.resources);
  const limits = { maxContexts: 100, maxPolicies: 50, maxFields: 1_000, trafficFrom: undefined };
  const live = new LiveState(topology, Colors, {
    ...limits,
    ours: undefined,
    only: undefined,
    verdicts: new Verdicts(undefined),
    onReconsider: undefined,
  });
  const bottom = topology.get('b.lineage.example.com:default/b1');
  if (bottom === undefined) throw new Error('The fixture does not have this target');
  const specs = () =>
    live
      .follow()
      .effectiveOf(bottom)
      .map(({ spec }) => spec);
  const counts: number[] = [];
  for (let turn = 0; turn < 400; turn += 1) {
    topology.apply({ upsert: [colorPolicy('p1', 't1', { red: turn }), colorPolicy('p2', 'l1', { blue: turn })] });
    expect(specs()).toContainEqual({ red: turn, blue: turn });
    topology.apply({ remove: ['p1', 'p2'].map((name) => colorPolicy(name, 't1', {})) });
    expect(specs()).toEqual([]);
    counts.push(live.follow().contexts.positions.arrivals.count);
  }
  expect(Math.max(...counts)).toBeGreaterThan(1_000);
  expect(Math.max(...counts)).toBeLessThan(1_300);
  topology.apply({ upsert: [colorPolicy('p1', 't1', { red: 1 })] });
  expect(specs()).toEqual(
    effectivePolicies(topology, Colors)
      .of(bottom)
      .map(({ spec }) => spec),
  );
});
