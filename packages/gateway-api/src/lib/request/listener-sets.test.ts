import type { KubernetesObject } from '@policy-machinery/resource';
import { formatTarget } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { clusterWith, gateway, listenerSet, route } from '../gateway-api.fixture.ts';
import { traceRequest } from './trace-request.ts';

const web = { name: 'web', port: 80, protocol: 'HTTP', hostname: 'shop.example.com' };
const open = (listeners: readonly object[] = []) =>
  gateway('edge', { allowedListeners: { namespaces: { from: 'All' } }, listeners });
const created = (resource: KubernetesObject, year: number): KubernetesObject => ({
  ...resource,
  metadata: { ...resource.metadata, creationTimestamp: `${year}-01-01T00:00:00Z` },
});
const set = (name: string, year: number, namespace = 'default', listener: object = web) =>
  created(
    listenerSet(name, { parentRef: { name: 'edge', namespace: 'default' }, listeners: [listener] }, namespace),
    year,
  );
const below = (kind: string, name: string, namespace = 'default') =>
  route('HTTPRoute', `of-${name}`, { parentRefs: [{ kind, name }] }, namespace);

/** Returns where a request for the shop arrives, who takes it, and who loses it by which rule. */
const outcome = (...resources: readonly KubernetesObject[]) => {
  const [trace] = traceRequest(clusterWith({}, ...resources), { host: 'shop.example.com', path: '/' });
  return {
    listener: trace?.listener && formatTarget(trace.listener),
    winner: trace?.winner?.route.ref.name,
    lost: trace?.lost.map(({ route: { ref }, lostBy }) => [ref.name, lostBy]),
  };
};

describe('traceRequest, where listeners of ListenerSets and of their Gateway have one hostname (GEP-1713)', () => {
  it("takes the request to the Gateway's own, for any names and ages", () => {
    const resources = [created(open([{ ...web, name: 'zzz' }]), 2025), set('a', 2020)];
    expect(outcome(...resources, below('Gateway', 'edge'), below('ListenerSet', 'a'))).toEqual({
      listener: 'Gateway default/edge#zzz',
      winner: 'of-edge',
      lost: [['of-a', 'hostname conflict']],
    });
  });

  it('takes it to the oldest ListenerSet', () => {
    const sets = [set('a', 2022), set('b', 2021), set('c', 2023)];
    expect(outcome(open(), ...sets, ...['a', 'b', 'c'].map((name) => below('ListenerSet', name)))).toEqual({
      listener: 'ListenerSet default/b#web',
      winner: 'of-b',
      lost: [
        ['of-a', 'hostname conflict'],
        ['of-c', 'hostname conflict'],
      ],
    });
  });

  it('takes it to the first by namespace and name among sets of one age', () => {
    const sets = [set('a', 2022), set('b', 2022, 'another')];
    expect(outcome(open(), ...sets, below('ListenerSet', 'a'), below('ListenerSet', 'b', 'another'))).toMatchObject({
      listener: 'ListenerSet another/b#web',
      winner: 'of-b',
    });
  });

  it('does not distinguish the two kinds of ListenerSets', () => {
    const experimental = {
      ...set('b', 2022),
      apiVersion: 'gateway.networking.x-k8s.io/v1alpha1',
      kind: 'XListenerSet',
    };
    expect(outcome(open(), experimental, set('c', 2022)).listener).toBe('XListenerSet default/b#web');
  });

  it('does not try other listeners if the first one lacks a route for the request', () => {
    expect(outcome(open([web]), set('a', 2020), below('ListenerSet', 'a'))).toEqual({
      listener: 'Gateway default/edge#web',
      winner: undefined,
      lost: [['of-a', 'hostname conflict']],
    });
  });

  it('takes it past a listener that is in conflict to a less specific one', () => {
    const wide = { ...web, name: 'wide', hostname: '*.example.com' };
    const other = { ...web, name: 'tls', protocol: 'HTTPS', tls: {} };
    expect(outcome(open([wide]), set('a', 2020, 'default', other), below('Gateway', 'edge'))).toMatchObject({
      listener: 'Gateway default/edge#wide',
      winner: 'of-edge',
    });
  });

  it('takes nothing by a listener that the request names if that is in conflict', () => {
    const resources = [open([web]), set('a', 2020), below('ListenerSet', 'a')];
    const asked = { host: 'shop.example.com', path: '/', listener: 'default/a/web' };
    const [trace] = traceRequest(clusterWith({}, ...resources), asked);
    expect(trace).toMatchObject({ lost: [{ lostBy: 'hostname conflict' }] });
    expect(trace?.listener ?? trace?.winner).toBeUndefined();
  });

  it('takes requests again once the preceding listener is gone', () => {
    const topology = clusterWith({}, open(), set('a', 2020), set('b', 2021), below('ListenerSet', 'b'));
    const winner = () => traceRequest(topology, { host: 'shop.example.com' })[0]?.winner?.route.ref.name;
    expect(winner()).toBeUndefined();
    topology.apply({ remove: [set('a', 2020)] });
    expect(winner()).toBe('of-b');
  });
});
