import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createStatusPlanner } from './status-planner.ts';

const LimitPolicy = definePolicyKind({
  group: 'example.com',
  version: 'v1',
  kind: 'LimitPolicy',
  targets: [Gateway, HTTPRoute, Service],
  effectiveTargets: [Service],
  spec: z.object({ rate: z.number(), burst: z.number() }).partial(),
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
});

const metadata = (name: string) => ({ name, namespace: 'shop', generation: 1, resourceVersion: '1' });
const group = 'gateway.networking.k8s.io';
const gateway = (name: string): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Gateway',
  metadata: metadata(name),
  spec: { listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
});
const route = (name: string, parent: string, service: string): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'HTTPRoute',
  metadata: metadata(name),
  spec: { parentRefs: [{ name: parent }], rules: [{ backendRefs: [{ name: service, port: 80 }] }] },
});
const service = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadata(name),
  spec: { ports: [{ port: 80 }] },
});
const limits = (name: string, kind: string, target: string, spec: object): KubernetesObject => ({
  apiVersion: 'example.com/v1',
  kind: 'LimitPolicy',
  metadata: metadata(name),
  spec: { targetRefs: [{ group: kind === 'Service' ? '' : group, kind, name: target }], ...spec },
});

/** Two Gateways with a route each, and a Service below both. A policy on one Gateway overrides the policy on that Service. */
const objects = [
  ...['a', 'b'].flatMap((name) => [gateway(name), service(name), limits(name, 'Gateway', name, {})]),
  ...['a', 'b'].flatMap((name) => [route(`own-${name}`, name, name), route(`shared-${name}`, name, 'shared')]),
  service('shared'),
  limits('override', 'Gateway', 'b', { overrides: { rate: 1 } }),
  limits('default', 'Gateway', 'a', { defaults: { burst: 5 } }),
  limits('on-shared', 'Service', 'shared', { rate: 3 }),
  gateway('0-foreign'), // Of another controller, and before all others.
  limits('on-foreign', 'Gateway', '0-foreign', { rate: 1 }),
  route('shared-foreign', '0-foreign', 'shared'),
  ...['a', 'b'].map((name) => limits(`on-route-${name}`, 'HTTPRoute', `own-${name}`, { rate: 2 })),
];

/** Replicas that share a cluster by Gateway, in turns, with the writes of each round. */
function replicas(names: readonly string[], affected: 'targets' | 'all') {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [LimitPolicy] });
  topology.apply({ upsert: objects });
  const planners = names.map((name) => {
    const view = effectivePolicies(topology, LimitPolicy, {
      ours: ({ ref }) => ref.name !== '0-foreign',
      only: ({ ref }) => ref.kind !== 'Gateway' || ref.name === name,
    });
    return createStatusPlanner(view, { controllerName: `example.com/${name}`, affected, now: () => new Date(0) });
  });
  let version = 1;
  const writers = new Map<string, Set<number>>();
  const round = (index: number): readonly string[] => {
    const planner = planners[index];
    const { writes = [] } = planner?.plan() ?? {};
    for (const write of writes) {
      version += 1;
      const { result } = write;
      const written = { ...result, metadata: { ...result.metadata, resourceVersion: String(version) } };
      planner?.done(write, written);
      topology.apply({ upsert: [written] });
      if (write.ref.kind === 'LimitPolicy') continue;
      writers.set(write.locator, (writers.get(write.locator) ?? new Set()).add(index));
    }
    return writes.map(({ locator }) => locator);
  };
  return { topology, round, writers };
}

describe.each(['targets', 'all'] as const)('replicas by Gateway, with affected: %s', (affected) => {
  it('write everything once, each object by one of them, and then nothing', () => {
    const { topology, round, writers } = replicas(['a', 'b'], affected);
    const written = [0, 1].map(round);
    expect(written.every((it) => it.length > 0)).toBe(true);
    for (let turn = 2; turn < 8; turn += 1) expect([turn, round(turn % 2)]).toEqual([turn, []]);
    expect([...writers.values()].every((indexes) => indexes.size === 1)).toBe(true);
    for (const locator of [
      'gateway.gateway.networking.k8s.io:shop/a',
      'gateway.gateway.networking.k8s.io:shop/b',
      'service:shop/shared',
    ]) {
      const status = topology.get(locator)?.resource.status;
      const types = isJsonObject(status) ? objectsIn(status.conditions).map(({ type }) => type) : [];
      expect([locator, types]).toEqual([locator, ['example.com/LimitPolicyAffected']]);
    }
    expect(topology.get('gateway.gateway.networking.k8s.io:shop/0-foreign')?.resource.status).toBeUndefined();
  });
});
