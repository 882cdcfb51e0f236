import { KubeConfig, V1ObjectMeta, V1Service } from '@kubernetes/client-node';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { onTwoGateways, specsByGateway, twoGateways } from '@policy-machinery/golden-output';
import { createFakeApiServer, createFakeClock, createFixtures } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';
import { Service } from 'kubernetes-models/v1';
import { describe, expect, it, vi } from 'vitest';
import { TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';
import { followCluster } from './informers.ts';

const { gateway, httpRoute, service, policy } = createFixtures({ namespace: 'shop' });
const edge = gateway('edge');
const cart = httpRoute('cart', { parents: ['edge'], rules: [{ name: 'all', backends: ['cart'] }] });
const patient = policy(TimeoutPolicy, 'patient', { on: edge, spec: { defaults: { request: '10s' } } });
const kinds = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] }).requiredKinds;
const rule = 'httproute.gateway.networking.k8s.io:shop/cart#all';

async function cluster(objects = [edge, cart, service('cart'), patient]) {
  const server = createFakeApiServer({
    clock: createFakeClock(),
    kinds,
    objects,
  });
  const { url, close } = await server.listen();
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'fake', server: url, skipTLSVerify: true }, { name: 'nobody' });
  return { server, config, close };
}

describe("informers of client-node, on a server's watches", () => {
  it('keep effective policies up to date', async () => {
    const { server, config, close } = await cluster();
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
    const requests = () =>
      effectivePolicies(topology, TimeoutPolicy)
        .of(rule)
        .map(({ spec }) => spec.request);
    const stopped: string[] = [];
    const { feeds, stop } = await followCluster(config, topology, {
      pause: 1000,
      onStopped: (error) => stopped.push(String(error)),
    });
    expect(requests()).toEqual(['10s']);
    expect(topology.get('service:shop/cart')?.resource.kind).toBe('Service');
    expect(topology.issues).toEqual([]);
    expect(feeds.flatMap(({ issues }) => issues)).toEqual([]);

    server.create(policy(TimeoutPolicy, 'hasty', { on: cart, spec: { defaults: { request: '1s' } } }));
    await vi.waitFor(() => expect(requests()).toEqual(['1s']), { timeout: 60_000 });
    server.delete(patient);
    await vi.waitFor(() => expect(topology.policies(TimeoutPolicy)).toHaveLength(1), { timeout: 60_000 });
    expect(stopped).toEqual([]);
    await stop();
    await close();
  });

  it('give a route below two Gateways the override of each', async () => {
    const overrides = { public: { overrides: { request: '500s' } }, internal: { overrides: { request: '5s' } } };
    const { config, close } = await cluster([...twoGateways, ...onTwoGateways(TimeoutPolicy, overrides)]);
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
    const { stop } = await followCluster(config, topology, { pause: 1000, onStopped() {} });
    expect(specsByGateway(effectivePolicies(topology, TimeoutPolicy))).toEqual({
      public: [{ request: '500s' }],
      internal: [{ request: '5s' }],
    });
    await stop();
    await close();
  });
});

describe('objects of classes', () => {
  const served = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cart', namespace: 'shop' } };
  const v1 = Object.assign(new V1Service(), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: Object.assign(new V1ObjectMeta(), served.metadata, { creationTimestamp: new Date(0) }),
  });
  const literal: V1Service = { ...served, metadata: { ...served.metadata, creationTimestamp: new Date(0) } };

  it.each([
    ['V1Service of client-node', v1],
    ['an object of the type V1Service', literal],
    ['Service of kubernetes-models', new Service({ metadata: served.metadata })],
  ])('are taken by a topology without other types: %s', (_, object) => {
    const topology = createTopology({ targetKinds: gatewayApi() });
    topology.apply({ upsert: [object] });
    expect(topology.get('service:shop/cart')?.resource).toEqual(JSON.parse(JSON.stringify(object)));
    topology.apply({ remove: [object] });
    expect(topology.get('service:shop/cart')).toBeUndefined();
  });

  it('are taken as a typed list with items that leave out version and kind', () => {
    const topology = createTopology({ targetKinds: gatewayApi() });
    const items: readonly V1Service[] = [Object.assign(new V1Service(), { metadata: literal.metadata })];
    topology.replace({ group: '', kind: 'Service' }, items);
    expect(topology.get('service:shop/cart')?.resource).toMatchObject({ apiVersion: 'v1', kind: 'Service' });
  });
});
