import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import {
  cluster,
  clusterWith,
  gateway,
  gatewayClass,
  linksOf,
  listenerSet,
  namespace,
  pathsTo,
  policy,
  policyKind,
  route,
} from '../gateway-api.fixture.ts';
import { gatewayApi } from '../gateway-api.ts';

const listener = { name: 'http', port: 80, protocol: 'HTTP' };
const edge = (allowedListeners?: unknown) =>
  gateway('edge', { gatewayClassName: 'c', listeners: [listener], allowedListeners }, 'infra');
const parentRef = { name: 'edge', namespace: 'infra' };
const extra = { name: 'extra', port: 8080, protocol: 'HTTP' };
const set = (spec: object = {}, inNamespace = 'shop') =>
  listenerSet('more', { parentRef, listeners: [extra, { ...extra, name: 'admin' }], ...spec }, inNamespace);
const toSet = { kind: 'ListenerSet', name: 'more' };
const all = { namespaces: { from: 'All' } };

describe('ListenerSet (H-06)', () => {
  it.each<[string, unknown, boolean, boolean]>([
    ['nothing, which means None', undefined, false, false],
    ['no from, which means None', { namespaces: {} }, false, false],
    ['None', { namespaces: { from: 'None' } }, false, false],
    ['Same', { namespaces: { from: 'Same' } }, true, false],
    ['All', all, true, true],
    ['Selector', { namespaces: { from: 'Selector', selector: { matchLabels: { open: 'yes' } } } }, false, true],
    ['garbage', 'All', false, false],
    ['a word of its own', { namespaces: { from: 'Everyone' } }, false, false],
  ])('is below its Gateway if the Gateway allows it: %s', (_, allowedListeners, fromInfra, fromShop) => {
    const isLinked = (inNamespace: string) => {
      const namespaces = [namespace('infra'), namespace('shop', { open: 'yes' })];
      const topology = cluster(edge(allowedListeners), set({}, inNamespace), ...namespaces);
      const isRefused = topology.refused.some(({ reason }) => reason === 'NotAllowed');
      expect(isRefused).toBe(linksOf(topology).length === 0);
      return linksOf(topology).includes(`Gateway infra/edge > ListenerSet ${inNamespace}/more`);
    };
    expect([isLinked('infra'), isLinked('shop')]).toEqual([fromInfra, fromShop]);
  });

  it('has listeners that are siblings of the Gateway’s, each with its own rules', () => {
    const topology = cluster(
      gatewayClass('c'),
      edge(all),
      set({ listeners: [extra, { ...extra, name: 'tcp', protocol: 'TCP' }] }),
      route('HTTPRoute', 'r', { parentRefs: [toSet, parentRef] }, 'shop'),
    );
    expect(pathsTo(topology, 'HTTPRoute shop/r')).toEqual([
      'GatewayClass c > Gateway infra/edge > ListenerSet shop/more#extra > HTTPRoute shop/r',
    ]);
    expect(topology.refused.map(({ to }) => to)).toEqual([
      'listenerset.gateway.networking.k8s.io:shop/more#tcp',
      'gateway.gateway.networking.k8s.io:infra/edge#http', // It takes routes of its own namespace only.
    ]);
  });

  it('lets a route name one of its listeners, and only takes routes of the same namespace by default', () => {
    const links = (inNamespace: string) =>
      linksOf(
        cluster(
          edge(all),
          set(),
          route('HTTPRoute', 'r', { parentRefs: [{ ...toSet, namespace: 'shop', sectionName: 'admin' }] }, inNamespace),
        ),
      ).filter((link) => link.endsWith('/r'));
    expect(links('shop')).toEqual(['ListenerSet shop/more#admin > HTTPRoute shop/r']);
    expect(links('infra')).toEqual([]);
  });

  it('keeps its routes out of the reach of policies on the Gateway’s listeners, and not of those on the Gateway', () => {
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [policyKind()] });
    const viaSet = route('HTTPRoute', 'via-set', { parentRefs: [toSet] }, 'shop');
    const viaGateway = route('HTTPRoute', 'via-gateway', { parentRefs: [{ name: 'edge' }] }, 'infra');
    const onGateway = { kind: 'Gateway', name: 'edge' };
    const policies = [
      policy('whole', onGateway, 'infra'),
      policy('listener', { ...onGateway, sectionName: 'http' }, 'infra'),
    ];
    topology.apply({ upsert: [edge(all), set(), viaSet, viaGateway, ...policies] });
    const reaching = (locator: string) =>
      topology
        .ancestors(`httproute.gateway.networking.k8s.io:${locator}`)
        .flatMap((target) => topology.policiesAt(target).map(({ resource }) => resource.metadata.name));
    expect(reaching('shop/via-set')).toEqual(['whole']);
    expect(reaching('infra/via-gateway')).toEqual(['whole', 'listener']);
  });

  it.each([
    ['a route', { kind: 'HTTPRoute', name: 'r' }],
    ['itself', toSet],
    ['a GatewayClass', { kind: 'GatewayClass', name: 'c' }],
    ['a Service', { group: '', kind: 'Service', name: 's' }],
    ['nothing', {}],
    ['garbage', 5],
  ])('is below Gateways only, so cycles cannot exist: %s', (_, parent) => {
    const cycle = route('HTTPRoute', 'r', { parentRefs: [toSet], rules: [{ backendRefs: [toSet] }] }, 'shop');
    const topology = cluster(edge(all), set({ parentRef: parent }), cycle);
    expect(linksOf(topology).filter((link) => link.includes('> ListenerSet'))).toEqual([]);
  });

  it.each([
    ['its status, which accepts it', {}, 'True', 1],
    ['its status, which refuses it', all, 'False', 0],
    ['the specs, without a decision in its status', all, 'Unknown', 1],
    ['the specs, without a decision in its status', {}, 'Unknown', 0],
  ])('is below its Gateway by %s', (_, allowed, status, count) => {
    const withStatus = { ...set(), status: { conditions: [{ type: 'Accepted', status }] } };
    expect(linksOf(clusterWith({}, edge(allowed), withStatus))).toHaveLength(count);
  });

  it('may be the experimental one', () => {
    const group = 'gateway.networking.x-k8s.io';
    const experimental = { ...set(), apiVersion: `${group}/v1alpha1`, kind: 'XListenerSet' };
    const parentRefs = [{ group, kind: 'XListenerSet', name: 'more', sectionName: 'extra' }];
    const rules = [{ backendRefs: parentRefs }];
    const topology = cluster(edge(all), experimental, route('HTTPRoute', 'r', { parentRefs, rules }, 'shop'));
    expect(linksOf(topology)).toEqual([
      'Gateway infra/edge > XListenerSet shop/more',
      'XListenerSet shop/more#extra > HTTPRoute shop/r',
    ]);
  });
});
