import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { carryOut, gateway, route, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { reportPolicies } from '../report/policy-report.ts';
import { planStatus } from './plan-status.ts';

const Timeouts = timeoutKind('TimeoutPolicy', { whileDeleting: 'is-gone' });
const options = { controllerName: 'example.com/gateways', now: new Date('2026-01-02T03:04:05Z') };
const rule = 'httproute.gateway.networking.k8s.io:shop/r#pay';

const ending = (resource: KubernetesObject): KubernetesObject => ({
  ...resource,
  metadata: { ...resource.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});

/** A cluster in which all statuses are as they should be. */
function settled(...resources: readonly KubernetesObject[]) {
  const targetKinds = gatewayApi({ whileDeleting: 'is-gone' });
  const topology = createTopology({ targetKinds, policyKinds: [Timeouts] });
  topology.apply({ upsert: resources });
  const effective = effectivePolicies(topology, Timeouts);
  carryOut(topology, planStatus(effective, options).writes);
  effective.takeChanges();
  const plan = () => planStatus(effective, { ...options, changes: [effective.takeChanges()] }).writes;
  return { topology, effective, plan };
}

describe('a policy that is being deleted and does not count', () => {
  const older = timeouts('old', ['Gateway edge'], { overrides: { request: 1 } }, { seconds: 1 });
  const younger = timeouts('young', ['HTTPRoute r'], { defaults: { request: 2 } }, { seconds: 2 });
  const { topology, effective, plan } = settled(gateway('edge'), route('r', ['edge']), older, younger);

  it('stops counting when its deletion begins: others report that they count now, and nothing is written to it', () => {
    expect(effective.of(rule).map(({ spec }) => spec)).toEqual([{ request: 1 }]);
    topology.apply({ upsert: [ending(older)] });
    expect(effective.of(rule).map(({ spec }) => spec)).toEqual([{ request: 2 }]);
    const written = plan();
    expect(written.map(({ locator }) => locator)).toEqual([
      'timeoutpolicy.example.com:shop/young',
      'gateway.gateway.networking.k8s.io:shop/edge',
      'httproute.gateway.networking.k8s.io:shop/r',
    ]);
    expect(reportPolicies(effective).map(({ policy, outcome }) => [policy.resource.metadata.name, outcome])).toEqual([
      ['young', 'enforced'],
    ]);
    expect(topology.issues.map(({ code, resource }) => [code, resource])).toEqual([
      ['being-deleted', 'timeoutpolicy.example.com:shop/old'],
    ]);
  });
});

describe('a target that is being deleted and does not count', () => {
  it('is not written to, and policies on it miss their target', () => {
    const policy = timeouts('p', ['HTTPRoute r'], { request: 1 });
    const { topology, effective, plan } = settled(gateway('edge'), route('r', ['edge']), policy);
    topology.apply({ upsert: [ending(route('r', ['edge']))] });
    expect([...effective]).toEqual([]);
    expect(plan().map(({ locator }) => locator)).toEqual(['timeoutpolicy.example.com:shop/p']);
    expect(reportPolicies(effective).map(({ outcome }) => outcome)).toEqual(['target-not-found']);
  });
});
