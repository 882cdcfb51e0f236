import { formatTarget, type Topology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { clusterWith, linksOf, pathsTo, referenceGrant, route, service } from '../gateway-api.fixture.ts';
import { meshRoutes } from './mesh-routes.ts';

const ports = [
  { name: 'web', port: 80 },
  { name: 'admin', port: 8080 },
];
const pay = service('pay', ports, 'payments');
const parentRef = { group: '', kind: 'Service', name: 'pay' };
const backendRefs = [{ name: 'pay', namespace: 'payments', port: 80 }];
const grant = referenceGrant('payments', [{ kind: 'HTTPRoute', namespace: 'shop' }], [{ group: '', kind: 'Service' }]);

const producer = (name = 'producer', part: object = {}) =>
  route('HTTPRoute', name, { parentRefs: [{ ...parentRef, ...part }], rules: [{ backendRefs }] }, 'payments');
const consumer = (name = 'consumer', part: object = {}) =>
  route(
    'HTTPRoute',
    name,
    { parentRefs: [{ ...parentRef, namespace: 'payments', ...part }], rules: [{ backendRefs }] },
    'shop',
  );

const mesh = (...resources: Parameters<typeof clusterWith>[1][]) =>
  clusterWith({ mesh: true }, pay, grant, ...resources);

const routesFor = (topology: Topology, namespace: string, port = 80) =>
  meshRoutes(topology, { namespace: 'payments', name: 'pay' }, { namespace, port }).map(formatTarget);

describe('gatewayApi({ mesh: true })', () => {
  it('leads from the frontend of a Service through a route to the same Service', () => {
    const topology = mesh(producer());
    expect(topology.issues).toEqual([]);
    expect(pathsTo(topology, 'Service payments/pay#web')).toEqual([
      'ServiceFrontend payments/pay > HTTPRoute payments/producer#rule-1 > Service payments/pay#web',
    ]);
  });

  it('gives a Service no frontend that is being deleted and no longer counts', () => {
    const ending = { ...pay, metadata: { ...pay.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const targetsOf = (topology: Topology) => [...topology.targets].map(formatTarget);
    const topology = clusterWith({ mesh: true, whileDeleting: 'is-gone' }, pay);
    expect(targetsOf(topology)).toContain('ServiceFrontend payments/pay');
    topology.apply({ upsert: [ending] });
    expect(targetsOf(topology)).toEqual([]);
  });

  it('gives the consumers of a namespace a separate frontend', () => {
    expect(pathsTo(mesh(producer(), consumer()), 'Service payments/pay#web')).toEqual([
      'ServiceFrontend payments/pay > HTTPRoute payments/producer#rule-1 > Service payments/pay#web',
      'ServiceFrontend shop/pay.payments > HTTPRoute shop/consumer#rule-1 > Service payments/pay#web',
    ]);
  });

  it.each([
    ['a port', { port: 8080 }, 'payments/pay#admin'],
    ['a section', { sectionName: 'admin' }, 'payments/pay#admin'],
    ['both', { sectionName: 'admin', port: 8080 }, 'payments/pay#admin'],
    ['both, which are not the same', { sectionName: 'web', port: 8080 }, undefined],
    ['a port that is not there', { port: 1 }, undefined],
  ])('is below the part of the frontend that the producer names by %s', (_, part, expected) => {
    const links = linksOf(mesh(producer('producer', part))).filter((link) => link.startsWith('ServiceFrontend'));
    expect(links).toEqual(expected ? [`ServiceFrontend ${expected} > HTTPRoute payments/producer`] : []);
  });

  it('is off by default', () => {
    expect(linksOf(clusterWith({}, pay, producer()))).toEqual([
      'HTTPRoute payments/producer#rule-1 > Service payments/pay#web',
    ]);
    expect([...clusterWith({}, pay).targets].map(formatTarget)).not.toContain('ServiceFrontend payments/pay');
  });

  it('waits for the Service of a producer', () => {
    const topology = clusterWith({ mesh: true }, producer());
    expect(topology.unresolved.map(({ missing }) => missing)).toContain(
      'servicefrontend.mesh.policy-machinery:payments/pay',
    );
    topology.apply({ upsert: [pay] });
    expect(linksOf(topology)).toContain('ServiceFrontend payments/pay > HTTPRoute payments/producer');
  });

  it('waits for the Service of a consumer as well', () => {
    const topology = clusterWith({ mesh: true }, consumer());
    const missing = 'servicefrontend.mesh.policy-machinery:shop/pay.payments';
    expect(topology.unresolved.map((it) => it.missing)).toContain(missing);
    expect(linksOf(topology)).toEqual([]);
    topology.apply({ upsert: [pay] });
    expect(topology.unresolved).toEqual([]);
    expect(linksOf(topology)).toContain('ServiceFrontend shop/pay.payments > HTTPRoute shop/consumer');
  });

  it('takes parents with anything in them', () => {
    const parts = [{ port: {} }, { sectionName: [] }, { namespace: 5 }, { name: null }, { namespace: '__proto__' }];
    const topology = mesh(...parts.map((part, index) => consumer(`c${index}`, part)), consumer());
    expect(topology.issues.filter(({ code }) => code === 'unreadable-resource')).toEqual([]);
    expect(routesFor(topology, 'shop')).toContain('HTTPRoute shop/consumer');
  });
});

describe('meshRoutes (H-04)', () => {
  const both = mesh(producer(), consumer());

  it.each([
    ['shop', ['HTTPRoute shop/consumer']],
    ['payments', ['HTTPRoute payments/producer']],
    ['elsewhere', ['HTTPRoute payments/producer']],
  ])('takes a client in %s to %j', (namespace, expected) => {
    expect(routesFor(both, namespace)).toEqual(expected);
  });

  it.each([
    ['all ports', {}, 80, 'consumer'],
    ['this port', { port: 80 }, 80, 'consumer'],
    ['this port by name', { sectionName: 'web' }, 80, 'consumer'],
    ['this port twice', { sectionName: 'web', port: 80 }, 80, 'consumer'],
    ['another port', { port: 8080 }, 80, 'producer'],
    ['another port by name', { sectionName: 'admin' }, 80, 'producer'],
  ])('counts a consumer route for %s', (_, part, port, expected) => {
    const topology = mesh(producer(), consumer('consumer', part));
    expect(routesFor(topology, 'shop', port).map((name) => name.split('/')[1])).toEqual([expected]);
  });

  it('distinguishes the ports of a producer', () => {
    const topology = mesh(producer('all'), producer('admin', { port: 8080 }));
    expect(routesFor(topology, 'elsewhere', 80)).toEqual(['HTTPRoute payments/all']);
    expect(routesFor(topology, 'elsewhere', 8080)).toEqual(['HTTPRoute payments/admin', 'HTTPRoute payments/all']);
  });

  it('finds none where requests go to the Service unchanged', () => {
    expect(routesFor(mesh(), 'shop')).toEqual([]);
  });
});
