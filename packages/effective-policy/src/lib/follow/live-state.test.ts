import { none, patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import type { Topology, TopologyChange } from '@policy-machinery/topology';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';
import { effectivePolicies } from '../effective-policies.ts';
import { Verdicts } from '../levels/verdict.ts';
import { GatheredChanges } from './effective-delta.ts';
import { LiveState } from './live-state.ts';

const family = lineage('t1 > l1 > b1', 't1 > r1 > b1', 't2 > l1', 't2 > l2');
const colorKind = (strategies: { readonly patch: typeof patch } | { readonly none: typeof none }) =>
  definePolicyKind({
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    spec: anySpec,
    targets: [family.kind('t'), family.kind('l')],
    effectiveTargets: [family.kind('b')],
    stanzas: bareSpec({ strategies }),
  });
const Colors = colorKind({ patch });

function liveState(topology: Topology, kind = Colors) {
  return new LiveState(topology, kind, {
    maxContexts: 100,
    maxPolicies: 50,
    maxFields: 1_000,
    trafficFrom: undefined,
    ours: undefined,
    only: undefined,
    verdicts: new Verdicts(undefined),
    onReconsider: undefined,
  });
}

/** Returns the effective policies of the effective target; none once it is removed. */
function effectiveIn(live: ReturnType<typeof liveState>, topology: Topology) {
  const target = topology.get('b.lineage.example.com:default/b1');
  const state = live.follow();
  return target === undefined ? [] : state.effectiveOf(target);
}

it('keeps few lists of arrivals while policies are added and removed, and the same answers', () => {
  const { topology } = compute(Colors, family.kinds, family.resources);
  const live = liveState(topology);
  const specs = () => effectiveIn(live, topology).map(({ spec }) => spec);
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
  expect(specs()).toEqual(Array.from(effectivePolicies(topology, Colors), ({ spec }) => spec));
});

describe('a compact state', () => {
  const changes: readonly (readonly [what: string, change: TopologyChange])[] = [
    ['a policy edited', { upsert: [colorPolicy('p1', 't1', { blue: 1 })] }],
    ['a policy edited where no effective target is below', { upsert: [colorPolicy('p4', 'l2', { blue: 1 }, 1)] }],
    ['a policy moved', { upsert: [colorPolicy('p1', 't2', { red: 1 })] }],
    ['a policy removed', { remove: [colorPolicy('p2', 'l1', {})] }],
    ['a target removed', { remove: family.resources.filter(({ metadata }) => metadata.name === 'l1') }],
    ['an effective target removed', { remove: family.resources.filter(({ metadata }) => metadata.name === 'b1') }],
  ];
  const policies = [
    colorPolicy('p1', 't1', { red: 1 }),
    colorPolicy('p2', 'l1', { red: 2 }),
    colorPolicy('p3', 'l2', { red: 3 }),
    colorPolicy('p4', 'l2', { red: 4 }),
  ];

  describe.each([
    ['patch', Colors],
    ['none', colorKind({ none })],
  ])('of a kind with the strategy %s', (_, kind) => {
    it.each(changes)('reports the same as one that is not compact: %s', (_, change) => {
      const { topology } = compute(kind, family.kinds, [...family.resources, ...policies]);
      const states = [liveState(topology, kind), liveState(topology, kind)] as const;
      const readers = states.map((live) => {
        const reader = new GatheredChanges();
        live.addReader(reader);
        live.follow().scopes.computeSome(Number.POSITIVE_INFINITY);
        for (const target of topology.targets) live.follow().sharesAt(target);
        return reader;
      });
      states[1].follow().compact();
      topology.apply(change);
      const [expected, ofCompact] = states.map((live, index) => {
        const specs = effectiveIn(live, topology).map(({ spec, ancestors }) => [spec, ancestors]);
        return { specs, ...readers[index]?.take() };
      });
      const { targets = [], policies: reported = [] } = expected ?? {};
      expect([...targets, ...reported]).not.toEqual([]);
      expect(ofCompact).toEqual(expected);
    });
  });
});
