import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, gatewayClass, linksOf, pathsTo, route, sectionsOf, service } from './gateway-api.fixture.ts';
import { gatewayApi } from './gateway-api.ts';

const edge = gatewayClass('edge');
const listeners = [
  { name: 'http', port: 80 },
  { name: 'https', port: 443 },
];
const publicGateway = gateway('public', { gatewayClassName: 'edge', listeners });
const cart = service('cart', [
  { name: 'web', port: 80 },
  { name: 'admin', port: 8080 },
]);
const cartRoute = route('HTTPRoute', 'cart', {
  parentRefs: [{ name: 'public', sectionName: 'https' }],
  rules: [{ name: 'all', backendRefs: [{ name: 'cart', port: 80 }] }],
});

describe('gatewayApi', () => {
  it('has nine kinds of targets', () => {
    const described = gatewayApi().map(({ group, kind, scope, sections }) =>
      [kind, group, scope, ...Object.keys(sections)].join(' '),
    );
    expect(described).toEqual([
      'GatewayClass gateway.networking.k8s.io Cluster',
      'Gateway gateway.networking.k8s.io Namespaced listener',
      'HTTPRoute gateway.networking.k8s.io Namespaced rule',
      'GRPCRoute gateway.networking.k8s.io Namespaced rule',
      'TCPRoute gateway.networking.k8s.io Namespaced rule',
      'TLSRoute gateway.networking.k8s.io Namespaced rule',
      'UDPRoute gateway.networking.k8s.io Namespaced rule',
      'Service  Namespaced port',
      'Namespace  Cluster',
    ]);
  });

  it('leads from the class to the port of a service (H-03, H-09)', () => {
    const topology = cluster(edge, publicGateway, cartRoute, cart);
    expect(topology.issues).toEqual([]);
    expect(topology.unresolved).toEqual([]);
    expect(pathsTo(topology, 'Service default/cart#web')).toEqual([
      'GatewayClass edge > Gateway default/public#https > HTTPRoute default/cart#all > Service default/cart#web',
    ]);
  });

  it('does not leak from one port of a service into another', () => {
    expect(pathsTo(cluster(edge, publicGateway, cartRoute, cart), 'Service default/cart#admin')).toEqual([
      'Service default/cart#admin',
    ]);
  });

  it('keeps routes of different kinds and one name apart (W2)', () => {
    const topology = cluster(edge, publicGateway, cartRoute, { ...cartRoute, kind: 'GRPCRoute' }, cart);
    expect(pathsTo(topology, 'Service default/cart#web')).toEqual([
      'GatewayClass edge > Gateway default/public#https > GRPCRoute default/cart#all > Service default/cart#web',
      'GatewayClass edge > Gateway default/public#https > HTTPRoute default/cart#all > Service default/cart#web',
    ]);
  });

  it('holds namespaces, which contain objects', () => {
    const prod = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'prod' } };
    const topology = cluster(prod, service('cart', [], 'prod'));
    expect(topology.get('service:prod/cart')?.namespace?.locator).toBe('namespace:prod');
  });

  const garbage = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, 'x', 5, [], [null], [{}], [[]], {}));
  const specs = fc.oneof(
    garbage,
    fc.dictionary(fc.constantFrom('listeners', 'gatewayClassName', 'parentRefs', 'rules', 'ports'), garbage),
    fc.record({ rules: fc.array(fc.record({ name: garbage, backendRefs: garbage }, { requiredKeys: [] })) }),
    fc.record({
      parentRefs: fc.array(
        fc.record({ name: garbage, group: garbage, kind: garbage, sectionName: garbage, port: garbage }),
      ),
    }),
  );

  it.each(gatewayApi().map((kind) => [kind.kind, kind] as const))('takes a %s with any spec', (_, { group, kind }) => {
    fc.assert(
      fc.property(specs, (spec) => {
        const apiVersion = group === '' ? 'v1' : `${group}/v1`;
        const malformed: KubernetesObject = {
          apiVersion,
          kind,
          metadata: { name: 'public', namespace: 'abroad' },
          spec,
        };
        const topology = cluster(malformed, edge, publicGateway, cartRoute, cart);
        expect(topology.issues.filter(({ code }) => code === 'unreadable-resource')).toEqual([]);
        expect(linksOf(topology)).toContain('Gateway default/public#https > HTTPRoute default/cart');
      }),
    );
  });
});

describe('Gateway', () => {
  it('has its listeners as sections, unnamed ones by their place', () => {
    const unnamed = gateway('g', { listeners: [{ name: 'http' }, { port: 443 }, { name: '' }] });
    expect(sectionsOf(cluster(unnamed))).toEqual([
      'Gateway default/g#http',
      'Gateway default/g#listener-2',
      'Gateway default/g#listener-3',
    ]);
  });

  it('stands beneath its class', () => {
    expect(linksOf(cluster(edge, publicGateway))).toEqual(['GatewayClass edge > Gateway default/public']);
  });

  it.each(['x', 5, null, {}, [null, 5]])('makes nothing of %j as listeners but what may be one', (malformed) => {
    const sections = Array.isArray(malformed) ? ['Gateway default/g#listener-1', 'Gateway default/g#listener-2'] : [];
    expect(sectionsOf(cluster(gateway('g', { gatewayClassName: 5, listeners: malformed })))).toEqual(sections);
  });
});

describe('Service', () => {
  it('has its ports as sections, unnamed ones by their number (T-12)', () => {
    const ports = [{ name: 'web', port: 80 }, { port: 8080 }, {}];
    expect(sectionsOf(cluster(service('s', ports)))).toEqual([
      'Service default/s#web',
      'Service default/s#8080',
      'Service default/s#port-3',
    ]);
  });
});
