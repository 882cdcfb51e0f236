import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { targetableKey } from '@policy-machinery/topology/inner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GatewayApiOptions } from './attachment/options.ts';
import {
  cluster,
  clusterWith,
  gateway,
  gatewayClass,
  linksOf,
  pathsTo,
  route,
  sectionsOf,
  service,
} from './gateway-api.fixture.ts';
import { gatewayApi } from './gateway-api.ts';
import { Gateway } from './kinds/gateway.ts';
import { ListenerSet } from './kinds/listener-set.ts';
import { HTTPRoute } from './kinds/route.ts';
import { Service } from './kinds/service.ts';
import { ServiceFrontend } from './kinds/service-frontend.ts';

const edge = gatewayClass('edge');
const listeners = [
  { name: 'http', port: 80, protocol: 'HTTP' },
  { name: 'https', port: 443, protocol: 'HTTPS' },
];
const publicGateway = gateway('public', { gatewayClassName: 'edge', listeners });
const cart = service('cart', [
  { name: 'web', port: 80 },
  { name: 'admin', port: 8080 },
]);
const parentRefs = [{ name: 'public', sectionName: 'https' }];
const cartSpec = { parentRefs, rules: [{ name: 'all', backendRefs: [{ name: 'cart', port: 80 }] }] };
const cartRoute = route('HTTPRoute', 'cart', cartSpec);

describe('gatewayApi', () => {
  it('has the plurals and versions of its kinds, as in their CustomResourceDefinitions', () => {
    const { requiredKinds } = createTopology({ targetKinds: gatewayApi({ mesh: true }) });
    const served = requiredKinds.map(({ group, plural, versions, scope }) => [`${plural}.${group}`, versions, scope]);
    expect(served).toEqual([
      ['namespaces.', ['v1'], 'Cluster'],
      ['referencegrants.gateway.networking.k8s.io', ['v1', 'v1beta1'], 'Namespaced'],
      ['gatewayclasses.gateway.networking.k8s.io', ['v1', 'v1beta1'], 'Cluster'],
      ['gateways.gateway.networking.k8s.io', ['v1', 'v1beta1'], 'Namespaced'],
      ['listenersets.gateway.networking.k8s.io', ['v1'], 'Namespaced'],
      ['xlistenersets.gateway.networking.x-k8s.io', ['v1alpha1'], 'Namespaced'],
      ['services.', ['v1'], 'Namespaced'],
      ['httproutes.gateway.networking.k8s.io', ['v1', 'v1beta1'], 'Namespaced'],
      ['grpcroutes.gateway.networking.k8s.io', ['v1', 'v1alpha2'], 'Namespaced'],
      ['tcproutes.gateway.networking.k8s.io', ['v1', 'v1alpha2'], 'Namespaced'],
      ['tlsroutes.gateway.networking.k8s.io', ['v1', 'v1alpha3', 'v1alpha2'], 'Namespaced'],
      ['udproutes.gateway.networking.k8s.io', ['v1', 'v1alpha2'], 'Namespaced'],
    ]);
  });

  it('has kinds with resources that count until they are deleted, or until their deletion begins', () => {
    const resources = [edge, publicGateway, cart, cartRoute].map((resource) => {
      const isEnding = resource === cartRoute;
      const deletionTimestamp = '2026-01-01T00:00:00Z';
      return isEnding ? { ...resource, metadata: { ...resource.metadata, deletionTimestamp } } : resource;
    });
    const targetsWith = (options?: GatewayApiOptions) =>
      [...clusterWith(options ?? {}, ...resources).targets].map(({ ref }) => ref.kind);
    expect(targetsWith()).toContain('HTTPRoute');
    expect(targetsWith({ whileDeleting: 'is-gone' })).toEqual(targetsWith().filter((kind) => kind !== 'HTTPRoute'));
  });

  it('refuses the name of a controller that no status can hold', () => {
    const refused = expect.objectContaining({ code: 'invalid-controller-name' });
    expect(() => gatewayApi({ attachment: 'status', controllerName: 'gateways' })).toThrow(refused);
    expect(() => gatewayApi({ attachment: 'status', controllerName: 'example.com/gateways' })).not.toThrow();
  });

  it('has eleven kinds of targets', () => {
    const described = gatewayApi().map(({ group, kind, scope, sections }) =>
      [kind, group, scope, ...Object.keys(sections)].join(' '),
    );
    expect(described).toEqual([
      'GatewayClass gateway.networking.k8s.io Cluster',
      'Gateway gateway.networking.k8s.io Namespaced listener',
      'ListenerSet gateway.networking.k8s.io Namespaced listener',
      'XListenerSet gateway.networking.x-k8s.io Namespaced listener',
      'HTTPRoute gateway.networking.k8s.io Namespaced rule',
      'GRPCRoute gateway.networking.k8s.io Namespaced rule',
      'TCPRoute gateway.networking.k8s.io Namespaced rule',
      'TLSRoute gateway.networking.k8s.io Namespaced rule',
      'UDPRoute gateway.networking.k8s.io Namespaced rule',
      'Service  Namespaced port',
      'Namespace  Cluster',
    ]);
  });

  it('has the kinds that are exported one by one, and with other options kinds of the same names', () => {
    expect(gatewayApi()).toEqual(expect.arrayContaining([Gateway, HTTPRoute, ListenerSet, Service]));
    expect(gatewayApi()).toContain(HTTPRoute);
    const other = gatewayApi({ attachment: 'spec', defaultGateways: true });
    expect(other).not.toContain(HTTPRoute);
    expect(other.map(targetableKey)).toEqual(gatewayApi().map(targetableKey));
  });

  it('has frontends of Services, too, in a mesh', () => {
    const [frontend, ...others] = gatewayApi({ mesh: true }).filter(
      ({ kind }) => !gatewayApi().some((it) => it.kind === kind),
    );
    expect(frontend).toBe(ServiceFrontend);
    expect(others).toEqual([]);
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
    const grpc = route('GRPCRoute', 'cart', { ...cartSpec, hostnames: ['grpc.example.com'] });
    const http = route('HTTPRoute', 'cart', { ...cartSpec, hostnames: ['www.example.com'] });
    const topology = cluster(edge, publicGateway, http, grpc, cart);
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
  const refs = fc.array(
    fc.record(
      {
        name: fc.constantFrom('public', 'cart', 5),
        group: fc.oneof(fc.constant('gateway.networking.k8s.io'), garbage),
        kind: fc.constantFrom('Gateway', 'ListenerSet', 'Service', 'HTTPRoute', null, 5),
        namespace: fc.oneof(fc.constantFrom('default', 'abroad'), garbage),
        sectionName: garbage,
        port: garbage,
      },
      { requiredKeys: [] },
    ),
  );
  const listenersLike = fc.array(
    fc.record(
      {
        name: garbage,
        protocol: fc.oneof(fc.constant('HTTP'), garbage),
        hostname: garbage,
        tls: garbage,
        allowedRoutes: fc.oneof(garbage, fc.record({ namespaces: garbage, kinds: garbage })),
      },
      { requiredKeys: [] },
    ),
  );
  const filters = fc.oneof(
    garbage,
    fc.array(
      fc.record({
        type: fc.constant('RequestMirror'),
        requestMirror: fc.oneof(garbage, fc.record({ backendRef: garbage })),
      }),
    ),
  );
  const specs = fc.oneof(
    garbage,
    fc.record({
      parentRefs: refs,
      parentRef: fc.oneof(garbage, fc.record({ name: fc.constant('public') })),
      hostnames: garbage,
      useDefaultGateways: fc.constantFrom('All', 5),
      defaultScope: fc.constantFrom('All', 5),
      allowedListeners: fc.oneof(garbage, fc.record({ namespaces: garbage })),
      listeners: listenersLike,
      rules: fc.array(fc.record({ filters, backendRefs: fc.oneof(refs, fc.array(fc.record({ filters }))) })),
    }),
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
        const accepted = {
          parents: [{ parentRef: parentRefs[0], conditions: [{ type: 'Accepted', status: 'True' }] }],
        };
        const acceptedRoute = { ...cartRoute, status: accepted };
        const options = { attachment: 'status', defaultGateways: true, delegation: true, mesh: true } as const;
        const byStatus = clusterWith(options, { ...malformed, status: spec }, edge, publicGateway, acceptedRoute, cart);
        expect(byStatus.issues.filter(({ code }) => code === 'unreadable-resource')).toEqual([]);
        expect(linksOf(byStatus)).toContain('Gateway default/public#https > HTTPRoute default/cart');
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

  it('is below its class', () => {
    expect(linksOf(cluster(edge, publicGateway))).toEqual(['GatewayClass edge > Gateway default/public']);
  });

  it.each(['x', 5, null, {}, [null, 5]])('reads only possible listeners from %j', (malformed) => {
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
