import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { carryOut, cluster, gateway, resourceIn, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import type { StatusWrite } from '../status/status-write.ts';
import { planStatus } from './plan-status.ts';
import { createStatusPlanner } from './status-planner.ts';

const options = { controllerName: 'example.com/gateways', now: new Date('2026-01-02T03:04:05Z') };
const edge = gateway('edge', ['http', 'https']);
const cart = route('cart', ['edge']);
const menu = route('menu', ['edge']);
const onEdge = timeouts('e', ['Gateway edge'], { request: 1 });
const onCart = timeouts('c', ['HTTPRoute cart'], { idle: 2 });
const all = [edge, cart, menu, onEdge, onCart];

const objectsIn = (writes: readonly StatusWrite[]) =>
  writes.filter(({ ref }) => ref.kind !== 'TimeoutPolicy').map(({ ref }) => ref.name);

/** Returns the condition on an object and on each of its listeners, or on a route for its first parent. */
function messagesOn(resource: KubernetesObject): readonly string[] {
  const { conditions = [], listeners = [], parents = [] } = resource.status as Record<string, readonly object[]>;
  const holders = [{ conditions }, ...listeners, ...parents] as readonly {
    conditions?: readonly { message: string }[];
  }[];
  return holders.flatMap((it) => (it.conditions ?? []).map(({ message }) => message));
}

describe('planStatus, affected', () => {
  it.each([
    [undefined, ['edge', 'cart']],
    ['targets', ['edge', 'cart']],
    ['all', ['edge', 'cart', 'menu']],
    ['off', []],
  ] as const)('%s: writes to %j', (affected, expected) => {
    const { effective } = cluster(TimeoutPolicy, ...all);
    const { writes } = planStatus(effective, { ...options, ...(affected === undefined ? {} : { affected }) });
    expect(objectsIn(writes)).toEqual(expected);
  });

  it('targets: names only the policies attached there, on the object alone if the policy is not on a section', () => {
    const { topology, effective } = cluster(TimeoutPolicy, ...all);
    carryOut(topology, planStatus(effective, options).writes);
    const said = ['gateway', 'httproute'].map((kind) =>
      messagesOn(
        resourceIn(topology, `${kind}.gateway.networking.k8s.io:shop/${kind === 'gateway' ? 'edge' : 'cart'}`),
      ),
    );
    expect(said).toEqual([['Affected by shop/e.'], ['Affected by shop/c.']]);
  });

  it('targets: ignores attached policies without effect (C-06)', () => {
    const over = timeouts('e', ['Gateway edge'], { overrides: { idle: 1 } });
    const { effective } = cluster(TimeoutPolicy, edge, cart, over, onCart);
    expect(objectsIn(planStatus(effective, options).writes)).toEqual(['edge']);
  });

  it('targets: follows a policy that leaves an object and still affects it from above', () => {
    const both = timeouts('e', ['Gateway edge', 'HTTPRoute cart'], { request: 1 });
    const { topology, effective } = cluster(TimeoutPolicy, edge, cart, both);
    carryOut(topology, planStatus(effective, options).writes);
    effective.takeChanges();
    topology.apply({ upsert: [timeouts('e', ['Gateway edge'], { request: 1 })] });
    const { writes } = planStatus(effective, { ...options, changes: [effective.takeChanges()] });
    expect(objectsIn(writes)).toEqual(['cart']);
    expect(objectsIn(planStatus(effectivePolicies(topology, TimeoutPolicy), options).writes)).toEqual(['cart']);
  });

  it.each([
    ['targets', ['cart', 'menu']],
    ['off', ['edge', 'cart', 'menu']],
  ] as const)('%s: removes the writes of a plan with all, from %j', (affected, expected) => {
    const { topology, effective } = cluster(TimeoutPolicy, ...all);
    carryOut(topology, planStatus(effective, { ...options, affected: 'all' }).writes);
    const fresh = effectivePolicies(topology, TimeoutPolicy);
    const { writes } = planStatus(fresh, { ...options, affected });
    expect(objectsIn(writes)).toEqual(expected);
    carryOut(topology, writes);
    expect(messagesOn(resourceIn(topology, 'httproute.gateway.networking.k8s.io:shop/menu'))).toEqual([]);
  });
});

describe('planStatus, precondition', () => {
  const writeFor = (precondition?: 'resourceVersion' | 'test' | 'none', policy = onEdge) => {
    const { effective } = cluster(TimeoutPolicy, edge, cart, policy);
    const { writes } = planStatus(effective, { ...options, ...(precondition === undefined ? {} : { precondition }) });
    return writes.find(({ ref }) => ref.name === 'edge') as StatusWrite;
  };
  const path = '/metadata/resourceVersion';

  it.each([
    [undefined, [{ op: 'replace', path, value: '1' }], '1'],
    ['resourceVersion', [{ op: 'replace', path, value: '1' }], '1'],
    ['test', [{ op: 'test', path, value: '1' }], undefined],
    ['none', [], undefined],
  ] as const)('%s: patches begin with %j, applies have the version %s', (precondition, guard, version) => {
    const { patch, apply } = writeFor(precondition);
    expect(patch.slice(0, -1)).toEqual(guard);
    expect((apply.metadata as Record<string, unknown>).resourceVersion).toBe(version);
  });

  it('always applies a list that is written as a whole with its version, so that entries of others stay', () => {
    const { effective } = cluster(TimeoutPolicy, edge, cart, onEdge);
    const { writes } = planStatus(effective, { ...options, precondition: 'none' });
    expect(writes.find(({ ref }) => ref.name === 'e')?.apply.metadata).toMatchObject({ resourceVersion: '1' });
  });

  it('applies with the uid of the object, so that a deleted object is not created again', () => {
    const uid = '3e5b0a4c-0f6c-4a39-8f0e-6d1f4f0a1c55';
    const withUid = { ...edge, metadata: { ...edge.metadata, uid } };
    const { effective } = cluster(TimeoutPolicy, withUid, cart, onEdge);
    const { writes } = planStatus(effective, options);
    expect(writes.find(({ ref }) => ref.name === 'edge')?.apply.metadata).toMatchObject({ uid });
  });
});

describe('the urgency of writes', () => {
  const urgenciesIn = (writes: readonly StatusWrite[]) => writes.map(({ ref, urgency }) => `${ref.name}: ${urgency}`);

  it('is outcome for policies with other conditions', () => {
    const { effective } = cluster(TimeoutPolicy, ...all);
    expect(urgenciesIn(planStatus(effective, options).writes)).toEqual([
      'c: outcome',
      'e: outcome',
      'edge: object',
      'cart: object',
    ]);
  });

  it('is first-plan for all writes of the first plan of a planner, until their objects change', () => {
    const { topology, effective } = cluster(TimeoutPolicy, ...all);
    const planner = createStatusPlanner(effective, { ...options, now: () => options.now });
    expect(new Set(planner.plan().writes.map(({ urgency }) => urgency))).toEqual(new Set(['first-plan']));
    topology.apply({ upsert: [timeouts('c', ['HTTPRoute cart'], { idle: 3 })] });
    const again = urgenciesIn(planner.plan().writes);
    expect(again).toContain('c: outcome');
    expect(again).toContain('edge: first-plan');
  });

  it('is policy where only messages differ', () => {
    const { topology, effective } = cluster(
      TimeoutPolicy,
      edge,
      cart,
      timeouts('e', ['Gateway edge'], { idle: 1, request: 1 }),
      onCart,
    );
    carryOut(topology, planStatus(effective, options).writes);
    topology.apply({
      remove: ['timeoutpolicy.example.com:shop/c'],
      upsert: [timeouts('d', ['HTTPRoute cart'], { idle: 5 })],
    });
    const { writes } = planStatus(effectivePolicies(topology, TimeoutPolicy), options);
    expect(urgenciesIn(writes)).toEqual(['d: outcome', 'e: policy', 'cart: object']);
  });
});
