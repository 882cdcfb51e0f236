import type { KubernetesObject } from '@policy-machinery/resource';
import { formatPath, formatTarget } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { clusterWith, gateway, route, service } from '../gateway-api.fixture.ts';
import type { HttpRequest } from '../matching/http-request.ts';
import { traceRequest } from './trace-request.ts';

const passthrough = { name: 'tls', port: 443, protocol: 'TLS', tls: { mode: 'Passthrough' } };
const edge = (...listeners: readonly object[]) => gateway('edge', { listeners });
const backendRefs = [{ name: 'db', port: 5432 }];
const db = service('db', [{ name: 'sql', port: 5432 }]);

const connectionRoute = (kind: string, name: string, spec: object = {}, year = 2024): KubernetesObject => {
  const made = route(kind, name, { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs }], ...spec });
  return { ...made, metadata: { ...made.metadata, creationTimestamp: `${year}-01-01T00:00:00Z` } };
};
const tls = (name: string, hostnames?: readonly string[], year?: number) =>
  connectionRoute('TLSRoute', name, hostnames && { hostnames }, year);

const trace = (asked: HttpRequest, ...resources: readonly KubernetesObject[]) =>
  traceRequest(clusterWith({}, db, ...resources), asked)[0];

describe('traceRequest at a listener that passes TLS through', () => {
  const request = { host: 'db.example.com' };

  it('finds the TLSRoute by the server name, and the path to the backend', () => {
    const { winner } = trace(request, edge(passthrough), tls('db', ['db.example.com'])) ?? {};
    expect([...(winner?.paths ?? [])].map(formatPath)).toEqual([
      'Gateway default/edge#tls > TLSRoute default/db#rule-1 > Service default/db#sql',
    ]);
    expect(winner?.hostname).toBe('db.example.com');
  });

  it.each([
    ['more specific hostname', tls('z', ['db.example.com'], 2025), tls('a', ['*.example.com'], 2020)],
    ['more specific hostname', tls('z', ['*.example.com'], 2025), tls('a', undefined, 2020)],
    ['older route', tls('z', ['*.example.com'], 2020), tls('a', ['*.example.com'], 2025)],
    ['first by name', tls('a'), tls('z')],
  ])('is decided by %s', (lostBy, first, second) => {
    const { winner, lost } = trace(request, edge(passthrough), second, first) ?? {};
    expect(winner?.route.resource).toBe(first);
    expect(lost).toMatchObject([{ route: { resource: second }, lostBy }]);
  });

  it('reports that a route is for other hosts', () => {
    const { winner, unmatched } = trace(request, edge(passthrough), tls('other', ['example.org'])) ?? {};
    expect(winner).toBeUndefined();
    expect(unmatched).toMatchObject([{ reason: 'host', pointer: '/spec/hostnames' }]);
  });

  it('takes the first rule of a route: they lack matches', () => {
    const rules = [{ backendRefs }, { backendRefs: [] }];
    const { winner, lost } = trace(request, edge(passthrough), connectionRoute('TLSRoute', 'r', { rules })) ?? {};
    expect(winner?.rule?.ref.section).toBe('rule-1');
    expect(lost).toMatchObject([{ ruleIndex: 1, lostBy: 'first rule in the route' }]);
  });

  it.each([
    ['db.example.com', 'Gateway default/edge#tls', 'db'],
    ['shop.example.com', 'Gateway default/edge#https', 'shop'],
  ])('shares its port with a listener for HTTPS, by the server name: %s', (host, listener, expected) => {
    const https = { name: 'https', port: 443, protocol: 'HTTPS', hostname: 'shop.example.com', tls: {} };
    const { winner } =
      trace(
        { host, path: '/cart' },
        edge({ ...passthrough, hostname: '*.example.com' }, https),
        tls('db', ['db.example.com', 'shop.example.com']),
        connectionRoute('HTTPRoute', 'shop'),
      ) ?? {};
    expect([winner && formatTarget(winner.listener), winner?.route.ref.name]).toEqual([listener, expected]);
  });
});

describe('traceRequest at listeners for connections', () => {
  it('finds a TCPRoute by the port of its listener, for any host', () => {
    const listener = { name: 'sql', port: 5432, protocol: 'TCP', hostname: 'of.no.account' };
    for (const host of [undefined, 'db.example.com']) {
      const asked = { port: 5432, ...(host && { host }) };
      const tcp = [connectionRoute('TCPRoute', 'b', {}, 2025), connectionRoute('TCPRoute', 'a', {}, 2024)];
      expect(trace(asked, edge(listener), ...tcp)).toMatchObject({
        winner: { route: { ref: { name: 'a' } }, hostname: '*' },
        lost: [{ route: { ref: { name: 'b' } }, lostBy: 'older route' }],
      });
    }
  });

  it('finds TLSRoutes before TCPRoutes where they name the server, at a listener that terminates TLS', () => {
    const listener = { name: 'tls', port: 443, protocol: 'TLS', tls: { mode: 'Terminate' } };
    const routes = [connectionRoute('TCPRoute', 'any', {}, 2020), tls('db', ['db.example.com'])];
    const winner = (host: string) => trace({ host }, edge(listener), ...routes)?.winner?.route.ref.name;
    expect([winner('db.example.com'), winner('example.org')]).toEqual(['db', 'any']);
  });

  const dns = [
    { name: 'tcp', port: 53, protocol: 'TCP' },
    { name: 'udp', port: 53, protocol: 'UDP' },
  ];
  const routes = [connectionRoute('UDPRoute', 'udp'), connectionRoute('TCPRoute', 'tcp')];

  it.each([
    ['UDP', 'udp'],
    ['TCP', 'tcp'],
    [undefined, 'tcp'],
  ] as const)('keeps UDP and TCP apart at one port: %s', (transport, expected) => {
    const asked = { port: 53, ...(transport && { transport }) };
    expect(trace(asked, edge(...dns), ...routes)).toMatchObject({
      winner: { route: { ref: { name: expected } } },
      lost: [],
      unmatched: [],
    });
  });

  it("keeps HTTPRoutes besides older TCPRoutes if a vendor's protocol accepts both", () => {
    const listener = { name: 'any', port: 80, protocol: 'example.com/any' };
    const rules = [{ matches: [{ path: { value: '/cart' } }] }];
    const routes = [connectionRoute('TCPRoute', 't', {}, 2020), connectionRoute('HTTPRoute', 'h', { rules })];
    expect(trace({ port: 80, path: '/cart' }, edge(listener), ...routes)).toMatchObject({
      winner: { route: { ref: { name: 'h' } } },
      lost: [{ route: { ref: { name: 't' } }, lostBy: 'longer prefix' }],
    });
  });

  it('takes no connection where TCP shares its port with HTTP', () => {
    const listeners = [
      { name: 'tcp', port: 80, protocol: 'TCP' },
      { name: 'http', port: 80, protocol: 'HTTP' },
    ];
    const answer = trace(
      { port: 80 },
      edge(...listeners),
      connectionRoute('TCPRoute', 't'),
      connectionRoute('HTTPRoute', 'h'),
    );
    expect(answer?.winner).toBeUndefined();
    expect(answer?.lost.map(({ lostBy }) => lostBy)).toEqual(['protocol conflict', 'protocol conflict']);
  });
});
