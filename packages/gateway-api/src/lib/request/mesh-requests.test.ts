import type { KubernetesObject } from '@policy-machinery/resource';
import { formatPath, formatTarget, type Topology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { clusterWith, gateway, route, service } from '../gateway-api.fixture.ts';
import type { HttpRequest } from '../matching/http-request.ts';
import { paint, painted, paintPolicy } from '../policies.fixture.ts';
import { traceRequest } from './trace-request.ts';

const ports = [
  { name: 'web', port: 80 },
  { name: 'admin', port: 8080 },
];
const pay = service('pay', ports, 'payments');
const parentRef = { group: '', kind: 'Service', name: 'pay', namespace: 'payments' };
const backendRefs = [{ name: 'pay', namespace: 'payments', port: 80 }];

const at = (path: string) => ({ name: 'all', matches: [{ path: { type: 'PathPrefix', value: path } }], backendRefs });
const hung = (kind: string, name: string, namespace: string, part: object = {}, spec: object = { rules: [at('/')] }) =>
  route(kind, name, { parentRefs: [{ ...parentRef, ...part }], ...spec }, namespace);
const producer = (part?: object, spec?: object) => hung('HTTPRoute', 'producer', 'payments', part, spec);
const consumer = (part?: object, spec?: object) => hung('HTTPRoute', 'consumer', 'shop', part, spec);

const mesh = (...resources: readonly KubernetesObject[]) => clusterWith({ mesh: true }, pay, ...resources);
const request = { host: 'pay.payments', path: '/cart', port: 80 };
const trace = (topology: Topology, client: string, asked: HttpRequest = request) =>
  traceRequest(topology, asked, { client })[0];
const winnerFor = (topology: Topology, client: string, asked?: HttpRequest) =>
  trace(topology, client, asked)?.winner?.route.ref.name;

describe('traceRequest({ client }), within a mesh (H-04)', () => {
  const both = mesh(producer(), consumer());

  it('goes from the frontend of the Service through the route to the backend', () => {
    const answer = trace(both, 'payments');
    expect([answer?.entry, answer?.listener, answer?.winner?.rule].map((node) => node && formatTarget(node))).toEqual([
      'ServiceFrontend payments/pay',
      'ServiceFrontend payments/pay',
      'HTTPRoute payments/producer#all',
    ]);
    expect([...(answer?.winner?.paths ?? [])].map(formatPath)).toEqual([
      'ServiceFrontend payments/pay > HTTPRoute payments/producer#all > Service payments/pay#web',
    ]);
  });

  it.each([
    ['payments', 'producer'],
    ['elsewhere', 'producer'],
    ['shop', 'consumer'],
  ])('takes a client in %s to the route of the %s', (client, expected) => {
    expect(winnerFor(both, client)).toBe(expected);
  });

  it("begins at the frontend that the consumer's namespace has", () => {
    const answer = trace(both, 'shop');
    expect(answer?.listener && formatTarget(answer.listener)).toBe('ServiceFrontend shop/pay.payments');
    expect([...(answer?.winner?.paths ?? [])].map(formatPath)).toEqual([
      'ServiceFrontend shop/pay.payments > HTTPRoute shop/consumer#all > Service payments/pay#web',
    ]);
  });

  it("lists the producer's routes as lost to the consumer's", () => {
    expect(trace(both, 'shop')?.lost.map(({ route: { ref }, lostBy }) => [ref.name, lostBy])).toEqual([
      ['producer', 'consumer routes'],
    ]);
  });

  it("does not fall back on the producer's routes where the consumer's do not match", () => {
    const answer = trace(mesh(producer(), consumer({}, { rules: [at('/other')] })), 'shop');
    expect(answer?.winner).toBeUndefined();
    expect(answer?.lost).toMatchObject([{ lostBy: 'consumer routes' }]);
    expect(answer?.unmatched).toMatchObject([{ route: { ref: { name: 'consumer' } }, reason: 'path' }]);
  });

  it.each([
    ['all ports', {}, 80, 'consumer'],
    ['this port', { port: 80 }, 80, 'consumer'],
    ['this port by name', { sectionName: 'web' }, 80, 'consumer'],
    ['another port', { port: 8080 }, 80, 'producer'],
    ['another port, which is asked for', { port: 8080 }, 8080, 'consumer'],
  ])("counts a consumer's route for %s", (_, part, port, expected) => {
    expect(winnerFor(mesh(producer(), consumer(part)), 'shop', { ...request, port })).toBe(expected);
  });

  it('combines routes for one port and for all ports, and counts a route for both once', () => {
    const twice = hung(
      'HTTPRoute',
      'twice',
      'shop',
      {},
      {
        parentRefs: [parentRef, { ...parentRef, port: 80 }],
        rules: [at('/')],
      },
    );
    const answer = trace(mesh(twice, consumer({ port: 80 }, { rules: [at('/cart')] })), 'shop');
    expect(answer?.winner?.listener && formatTarget(answer.winner.listener)).toBe(
      'ServiceFrontend shop/pay.payments.80',
    );
    expect(answer?.lost.map(({ route, listener, lostBy }) => [route.ref.name, formatTarget(listener), lostBy])).toEqual(
      [['twice', 'ServiceFrontend shop/pay.payments', 'longer prefix']],
    );
  });

  it('answers for each port of the Service, or for the given one', () => {
    const answered = (port: number | undefined) =>
      traceRequest(both, { host: 'pay.payments', ...(port && { port }) }, { client: 'shop' }).map(
        (answer) => answer.port,
      );
    expect(answered(undefined)).toEqual([80, 8080]);
    expect(answered(8080)).toEqual([8080]);
    expect(answered(81)).toEqual([]);
  });

  it.each([
    ['pay', 'payments', true],
    ['pay', 'shop', false],
    ['pay.payments', 'shop', true],
    ['PAY.payments:80', 'shop', true],
    ['pay.payments.svc', 'shop', true],
    ['pay.payments.svc.cluster.local', 'shop', true],
    ['pay.payments.svc.clusterset.local:80', 'shop', true],
    ['pay.payments.example.com', 'shop', false],
    ['prado.payments', 'shop', false],
    ['', 'payments', false],
  ])('understands the host as cluster DNS does: %s from %s', (host, client, expected) => {
    expect(trace(both, client, { host }) !== undefined).toBe(expected);
  });

  it('reports that a request goes to a Service without routes directly', () => {
    expect(trace(mesh(), 'shop')).toEqual({
      entry: expect.objectContaining({ locator: 'servicefrontend.mesh.policy-machinery:payments/pay' }),
      port: 80,
      lost: [],
      undecided: [],
      unmatched: [],
    });
  });

  it('returns nothing for a Service that does not exist, even if routes refer to it', () => {
    expect(trace(clusterWith({ mesh: true }, consumer()), 'shop')).toBeUndefined();
  });

  it('pays no heed to the listener that a request names', () => {
    expect(winnerFor(both, 'shop', { ...request, listener: 'web' })).toBe('consumer');
  });

  it('considers no Gateway, as a request to a Gateway considers no Service', () => {
    const edge = gateway('edge', { listeners: [{ name: 'web', port: 80, protocol: 'HTTP' }] }, 'payments');
    const ofGateway = route('HTTPRoute', 'a', { parentRefs: [{ name: 'edge' }], rules: [at('/cart')] }, 'payments');
    const topology = mesh(edge, ofGateway, producer());
    expect(winnerFor(topology, 'payments')).toBe('producer');
    expect(traceRequest(topology, request).map(({ winner }) => winner?.route.ref.name)).toEqual(['a']);
  });

  it('pays no heed to hostnames of routes (GEP-1294)', () => {
    expect(winnerFor(mesh(producer({}, { hostnames: ['example.org'], rules: [at('/')] })), 'payments')).toBe(
      'producer',
    );
  });

  it.each([
    [['GRPCRoute', 'HTTPRoute', 'TLSRoute', 'TCPRoute'], 'GRPCRoute'],
    [['HTTPRoute', 'TLSRoute', 'TCPRoute'], 'HTTPRoute'],
    [['TLSRoute', 'TCPRoute'], 'TLSRoute'],
    [['TCPRoute', 'UDPRoute'], 'TCPRoute'],
  ])('takes one kind of routes only, of %j the %s (GEP-1294)', (kinds, expected) => {
    const routes = kinds.map((kind) => hung(kind, kind.toLowerCase(), 'payments'));
    const answer = trace(mesh(...routes), 'payments', { ...request, path: '/a.B/C' });
    expect(answer?.winner?.route.resource.kind).toBe(expected);
    const others = kinds.filter((kind) => kind !== expected && kind !== 'UDPRoute').sort();
    expect(answer?.lost.map(({ route: { resource }, lostBy }) => [resource.kind, lostBy])).toEqual(
      others.map((kind) => [kind, 'route of a more specific kind']),
    );
  });

  it('keeps UDP apart, which a port must be for', () => {
    const dns = service('dns', [{ name: 'udp', port: 53, protocol: 'UDP' }], 'payments');
    const toDns = { name: 'dns' };
    const topology = mesh(dns, hung('UDPRoute', 'udp', 'payments', toDns), hung('TCPRoute', 'tcp', 'payments', toDns));
    const asked = { host: 'dns.payments' };
    expect(winnerFor(topology, 'shop', { ...asked, transport: 'UDP' })).toBe('udp');
    expect(trace(topology, 'shop', asked)).toBeUndefined();
  });

  it("leaves a request to the producer's routes where the consumer's are for another transport", () => {
    expect(winnerFor(mesh(producer(), hung('UDPRoute', 'udp', 'shop')), 'shop')).toBe('producer');
  });

  it('continues to routes that a route delegates to', () => {
    const child = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'child' };
    const parent = producer({}, { hostnames: ['example.org'], rules: [{ ...at('/'), backendRefs: [child] }] });
    const topology = clusterWith(
      { mesh: true, delegation: true },
      pay,
      parent,
      route('HTTPRoute', 'child', { rules: [at('/cart')] }, 'payments'),
    );
    expect(winnerFor(topology, 'shop')).toBe('child');
  });

  it('meets the policies of the frontend, of the route and of the Service', () => {
    const policies = [
      paint('everybody', 'ServiceFrontend payments/pay', { everybody: true }),
      paint('shops', 'ServiceFrontend shop/pay.payments', { shops: true }),
      paint('backend', 'Service payments/pay', { backend: true }),
    ];
    const { topology, effective } = painted(paintPolicy({}, { mesh: true }), { mesh: true }, [
      pay,
      producer(),
      consumer(),
      ...policies,
    ]);
    const met = (client: string) => {
      const [path] = trace(topology, client)?.winner?.paths ?? [];
      return effective.along(path ?? []).at(-1)?.spec;
    };
    expect(met('shop')).toEqual({ shops: true, backend: true });
    expect(met('elsewhere')).toEqual({ everybody: true, backend: true });
  });
});
