import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { type MergeStrategy, mergePatch } from '@policy-machinery/merge';
import { bareSpec, kgateway } from '@policy-machinery/policy-kind';
import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, TimeoutPolicy, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { reportPolicies } from '../report/policy-report.ts';
import { type Impact, impact, impactBetween } from './impact.ts';

const pay = (name: string) => `httproute.gateway.networking.k8s.io:shop/${name}#pay`;
const id = (name: string) => `timeoutpolicy.example.com:shop/${name}`;
const edge = gateway('edge');
const onEdge = timeouts('p', ['Gateway edge'], { request: 1 });
const onCart = timeouts('c', ['HTTPRoute cart'], { request: 2 });
const base = [edge, route('cart', ['edge']), route('menu', ['edge']), onEdge, onCart];

const textOf = ({ effective, outcomes }: Pick<Impact, 'effective' | 'outcomes'>) => [
  effective.map(({ target, fields, patch }) => [target, fields, patch]),
  outcomes.map(({ policy, before, after }) => [policy, before?.message, after?.message]),
];

describe('impact', () => {
  const { topology, effective } = cluster(TimeoutPolicy, ...base);

  it('lists the effects of removing a policy, by target, as JSON Patches, and the changed outcomes', () => {
    const { effective: changes, outcomes, delta } = impact(effective, { remove: [onCart] });
    expect(changes.map(({ target, patch }) => [target, patch])).toEqual([
      [pay('cart'), [{ op: 'replace', path: '/request', value: 1 }]],
    ]);
    expect(outcomes.map(({ policy, before, after }) => [policy, before?.outcome, after?.outcome])).toEqual([
      [id('c'), 'enforced', undefined],
      [id('p'), 'partly-enforced', 'enforced'],
    ]);
    expect(delta.removed).toEqual([id('c')]);
  });

  it('lists the effects of applying a policy', () => {
    const { effective: changes, outcomes } = impact(effective, {
      upsert: [timeouts('o', ['Gateway edge'], { overrides: { idle: 9 } })],
    });
    expect(changes.map(({ target, patch }) => [target, patch])).toEqual([
      [pay('cart'), [{ op: 'add', path: '/idle', value: 9 }]],
      [pay('menu'), [{ op: 'add', path: '/idle', value: 9 }]],
    ]);
    expect(outcomes.map(({ policy, after }) => [policy, after?.outcome])).toEqual([[id('o'), 'enforced']]);
  });

  it('adds and removes the whole without an effective policy on one side', () => {
    expect(impact(effective, { upsert: [route('new', ['edge'])] }).effective).toMatchObject([
      { target: pay('new'), before: undefined, patch: [{ op: 'add', path: '', value: { request: 1 } }] },
    ]);
    expect(impact(effective, { remove: [onEdge] }).effective).toMatchObject([
      { target: pay('menu'), after: undefined, patch: [{ op: 'remove', path: '' }] },
    ]);
  });

  it('returns policies with only another message', () => {
    const policy = timeouts('x', ['Gateway idle#tls'], { request: 1 });
    const { effective: withIdle } = cluster(TimeoutPolicy, gateway('idle', ['a']), policy);
    const { outcomes } = impact(withIdle, { upsert: [gateway('idle', ['a', 'b'])] });
    expect(
      outcomes.map(({ before, after }) => [before?.outcome, before?.message, after?.outcome, after?.message]),
    ).toEqual([
      [
        'section-not-found',
        expect.stringMatching(/one of a\.$/),
        'section-not-found',
        expect.stringMatching(/one of a, b\.$/),
      ],
    ]);
  });

  it('notices that a target selects another way of merging (G-05)', () => {
    const kind = timeoutKind('TimeoutPolicy', kgateway());
    const policies = [
      timeouts('p', ['Gateway edge'], { request: 1 }),
      timeouts('c', ['HTTPRoute cart'], { request: 2 }),
    ];
    const preferring = cluster(kind, edge, route('cart', ['edge']), ...policies).effective;
    reportPolicies(preferring);
    const annotations = { 'kgateway.dev/inherited-policy-priority': 'ShallowMergePreferParent' };
    const { effective: changes, outcomes } = impact(preferring, {
      upsert: [{ ...edge, metadata: { ...edge.metadata, annotations } }],
    });
    expect(changes.map(({ patch }) => patch)).toEqual([[{ op: 'replace', path: '/request', value: 1 }]]);
    expect(outcomes.map(({ before, after }) => [before?.outcome, after?.outcome])).toEqual([
      ['enforced', 'overridden'],
      ['overridden', 'enforced'],
    ]);
  });

  it('finds the same between two topologies', () => {
    const removals = base.map((object) => ({ remove: [object] }));
    const upserts = [route('new', ['edge']), gateway('edge', ['a']), timeouts('p', ['HTTPRoute menu'], { idle: 3 })];
    for (const change of [...removals, { upsert: upserts }, { upsert: upserts, remove: [onCart] }]) {
      const view = cluster(TimeoutPolicy, ...base).effective;
      const after = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
      after.apply({ upsert: base });
      after.apply(change);
      const { delta, ...differences } = impact(view, change);
      const changed = Object.values(change)
        .flat()
        .map((object) => locatorOf(object, 'Namespaced'));
      const found = impactBetween([{ before: view, after: view.in(after) }], changed);
      expect(textOf(found)).toEqual(textOf(differences));
    }
  });

  it('finds nothing in a change without effect', () => {
    const delta = { added: [], removed: [], changed: [], ignored: [] };
    expect(impact(effective, { upsert: base })).toEqual({ delta, effective: [], outcomes: [] });
  });

  it('merges only contexts that a change affects, each once', () => {
    let merges = 0;
    const counted: MergeStrategy = {
      granularity: 'Patch',
      defaults(established, challenger) {
        merges += 1;
        return mergePatch(established, challenger);
      },
    };
    const kind = timeoutKind('TimeoutPolicy', { stanzas: bareSpec({ strategies: { counted } }) });
    const names = Array.from({ length: 20 }, (_, index) => `r${index}`);
    const own = names.map((name) => timeouts(name, [`HTTPRoute ${name}`], { idle: 2 }));
    const routes = names.map((name) => route(name, ['edge']));
    const wide = cluster(kind, edge, onEdge, ...routes, ...own).effective;
    const mergesIn = (work: () => unknown): number => {
      merges = 0;
      work();
      return merges;
    };

    const full = mergesIn(() => reportPolicies(wide));
    expect(full).toBeGreaterThanOrEqual(20);
    expect(mergesIn(() => impact(wide, { remove: [own[3] as KubernetesObject] }))).toBe(0); // One policy is left there.
    const newer = timeouts('newer', ['HTTPRoute r3'], { request: 2 });
    expect(mergesIn(() => impact(wide, { upsert: [newer] }))).toBeLessThan(6);
    const cold = cluster(kind, edge, onEdge, ...routes, ...own).effective;
    expect(mergesIn(() => impact(cold, { upsert: [newer] }))).toBeLessThan(full + 6);
  });

  it('does not change the topology', () => {
    impact(effective, { remove: [edge, onEdge], upsert: [route('new', ['edge'])] });
    expect(effectivePolicies(topology, TimeoutPolicy).of(pay('menu'))[0]?.spec).toEqual({ request: 1 });
    expect(topology.get(pay('new'))).toBeUndefined();
  });

  it('covers several kinds at once, in the order of targets and policies', () => {
    const kinds = [timeoutKind('TimeoutPolicy'), timeoutKind('RetryPolicy')];
    const both = createTopology({ targetKinds: gatewayApi(), policyKinds: kinds });
    both.apply({ upsert: [...base, timeouts('q', ['Gateway edge'], { idle: 1 }, { kind: 'RetryPolicy' })] });
    const { effective: changes, outcomes } = impact(
      kinds.map((kind) => effectivePolicies(both, kind)),
      { remove: [base[1] as typeof edge] },
    );
    expect(changes.map(({ target, before }) => [target, before?.spec])).toEqual([
      [pay('cart'), { request: 2 }],
      [pay('cart'), { idle: 1 }],
    ]);
    expect(outcomes.map(({ policy }) => policy)).toEqual([id('c'), id('p')]);
  });

  it('refuses changes that the topology would refuse', () => {
    expect(() => impact(effective, { remove: ['nonsense'] })).toThrow(
      expect.objectContaining({ code: 'invalid-resources' }),
    );
  });
});
