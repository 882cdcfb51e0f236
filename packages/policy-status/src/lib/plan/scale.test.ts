import { effectivePolicies } from '@policy-machinery/effective-policy';
import { describe, expect, it } from 'vitest';
import { carryOut, cluster, gateway, resourceIn, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import { planStatus } from './plan-status.ts';

describe('planStatus, with 10,000 affected routes', () => {
  const options = {
    affected: 'all',
    controllerName: 'example.com/gateways',
    now: new Date('2026-01-02T03:04:05Z'),
  } as const;
  const routes = Array.from({ length: 10_000 }, (_, index) => route(`r${index}`, ['edge']));
  const policy = timeouts('p', ['Gateway edge'], { request: 1 });
  const { topology, effective } = cluster(TimeoutPolicy, gateway('edge'), ...routes, policy);
  const { writes } = planStatus(effective, options);
  carryOut(topology, writes);
  const replan = () => planStatus(effectivePolicies(topology, TimeoutPolicy), options).writes;

  it('plans a write for each, for the Gateway and for the policy', () => expect(writes).toHaveLength(10_002));

  it('plans nothing when nothing has changed', () => expect(replan()).toEqual([]));

  it('plans one write for a change of the policy that leaves them affected (S-17, S-19)', () => {
    const resource = resourceIn(topology, 'timeoutpolicy.example.com:shop/p');
    const metadata = { ...resource.metadata, generation: 2 };
    topology.apply({ upsert: [{ ...resource, metadata, spec: { ...(policy.spec as object), request: 2, idle: 3 } }] });
    expect(replan().map(({ locator }) => locator)).toEqual(['timeoutpolicy.example.com:shop/p']);
  });
});

describe('planStatus, without names (S-19)', () => {
  it('writes to no object that stays affected, whichever policies come and go', () => {
    const options = {
      controllerName: 'example.com/gateways',
      now: new Date('2026-01-02T03:04:05Z'),
      namePolicies: false,
    };
    const routes = Array.from({ length: 50 }, (_, index) => route(`r${index}`, ['edge']));
    const policy = timeouts('p', ['Gateway edge'], { request: 1 });
    const { topology, effective } = cluster(TimeoutPolicy, gateway('edge'), ...routes, policy);
    carryOut(topology, planStatus(effective, options).writes);
    topology.apply({ upsert: [timeouts('q', ['Gateway edge'], { overrides: { request: 2 } })] });
    const { writes } = planStatus(effectivePolicies(topology, TimeoutPolicy), options);
    expect(writes.map(({ ref }) => ref.name)).toEqual(['p', 'q']);
  });
});
