import { Gateway, gatewayApi, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PolicyControllerOptions } from './controller-options.ts';
import { at, createWorld, gateway } from './world.fixture.ts';

const LimitPolicy = definePolicyKind({
  group: 'example.com',
  version: 'v1',
  kind: 'LimitPolicy',
  targets: [Gateway, HTTPRoute, Service],
  effectiveTargets: [Service],
  spec: z.record(z.string(), z.number()),
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
});
const condition = 'example.com/LimitPolicyAffected';

const route = (name: string, parents: readonly string[], service: string): KubernetesObject => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name, namespace: 'shop' },
  spec: {
    parentRefs: parents.map((parent) => ({ name: parent })),
    rules: [{ backendRefs: [{ name: service, port: 80 }] }],
  },
});
const service = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'shop' },
  spec: { ports: [{ port: 80 }] },
});
const limits = (name: string, kind: 'Gateway' | 'HTTPRoute' | 'Service', target: string): KubernetesObject => ({
  apiVersion: 'example.com/v1',
  kind: 'LimitPolicy',
  metadata: { name, namespace: 'shop' },
  spec: {
    targetRefs: [{ group: kind === 'Service' ? '' : 'gateway.networking.k8s.io', kind, name: target }],
    [`by${kind}`]: 1,
  },
});

/** Two Gateways with a route each, and a route and a Service below both. */
const objects = [
  ...['a', 'b'].flatMap((name) => [
    gateway(name),
    route(`on-${name}`, [name], 'shared'),
    limits(name, 'Gateway', name),
  ]),
  route('on-both', ['a', 'b'], 'shared'),
  limits('on-both', 'HTTPRoute', 'on-both'),
  service('shared'),
  limits('shared', 'Service', 'shared'),
];

/** Runs a controller for each of the Gateways, as replicas that share a cluster. */
function runReplicas(affected: 'targets' | 'all', others: readonly KubernetesObject[] = []) {
  const controller: Partial<PolicyControllerOptions> = { policyKinds: [LimitPolicy], status: { affected } };
  const kinds = [...gatewayApi(), LimitPolicy];
  const world = createWorld({ controller, kinds, objects: [...objects, ...others] });
  const replicas = ['a', 'b'].map((replica) => {
    const only: NonNullable<PolicyControllerOptions['effective']>['only'] = ({ ref }) =>
      ref.kind !== 'Gateway' || ref.name === replica;
    return world.start({ name: `example.com/${replica}`, effective: { only } });
  });
  return {
    world,
    async stop() {
      for (const replica of replicas) await replica.stop();
    },
  };
}

/** Returns the types of the conditions in the status of an object itself. */
function typesOn(object: KubernetesObject | undefined): readonly unknown[] {
  return isJsonObject(object?.status) ? objectsIn(object.status.conditions).map(({ type }) => type) : [];
}

/** Returns the entries of a status, by controller, with the conditions of each. */
function entriesOf(object: KubernetesObject | undefined, field: string, named: string) {
  const status = isJsonObject(object?.status) ? object.status : {};
  return objectsIn(status[field]).map((entry) => {
    const reference = isJsonObject(entry[named]) ? entry[named].name : undefined;
    return `${entry.controllerName} on ${reference}: ${objectsIn(entry.conditions).map(({ type }) => type)}`;
  });
}

describe.each(['targets', 'all'] as const)(
  'controllers that share a cluster by Gateway, with affected: %s',
  (affected) => {
    it('come to rest, with each status written', async () => {
      const { world, stop } = runReplicas(affected);
      await world.settle(10_000);
      const before = world.writes.length;
      await world.settle(60_000);
      expect(world.writes.slice(before)).toEqual([]);
      for (const locator of [at.gateway('a'), at.gateway('b'), 'service:shop/shared']) {
        expect([locator, typesOn(world.server.get(locator))]).toEqual([locator, [condition]]);
      }
      await stop();
    });

    it('each have a separate entry where entries have the name of a controller', async () => {
      const { world, stop } = runReplicas(affected);
      await world.settle(10_000);
      expect(entriesOf(world.server.get(at.route('on-both')), 'parents', 'parentRef').sort()).toEqual([
        `example.com/a on a: ${condition}`,
        `example.com/b on b: ${condition}`,
      ]);
      const policy = world.server.get('limitpolicy.example.com:shop/shared');
      expect(entriesOf(policy, 'ancestors', 'ancestorRef').sort()).toEqual(
        ['a', 'b'].map((name) => `example.com/${name} on ${name}: Accepted,Programmed`),
      );
      await stop();
    });

    it('hand a shared object over when the Gateway of its writer goes', async () => {
      const { world, stop } = runReplicas(affected);
      await world.settle(10_000);
      for (const locator of [at.gateway('a'), at.route('on-a'), 'limitpolicy.example.com:shop/shared']) {
        world.server.delete(locator);
      }
      world.server.create(limits('other', 'Service', 'shared'));
      await world.settle(10_000);
      const status = world.server.get('service:shop/shared')?.status;
      expect(JSON.stringify(status)).toContain('shop/other');
      const before = world.writes.length;
      await world.settle(60_000);
      expect(world.writes.slice(before)).toEqual([]);
      await stop();
    });
  },
);
