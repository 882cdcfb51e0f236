import { PolicyMachineryError } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { gatewayApi } from '../gateway-api.ts';
import { matchRequest } from '../request/match-request.ts';
import { http, listener } from '../request/request.fixture.ts';
import { traceRequest } from '../request/trace-request.ts';
import type { HttpRequest } from './http-request.ts';

const topology = createTopology({ targetKinds: gatewayApi() });

function refused(ask: () => unknown): PolicyMachineryError {
  try {
    ask();
  } catch (error) {
    if (error instanceof PolicyMachineryError) return error;
  }
  throw new Error('not refused');
}

const isRefused = (ask: () => unknown): boolean => {
  try {
    ask();
    return false;
  } catch (error) {
    if (error instanceof PolicyMachineryError) return true;
    throw error;
  }
};

const unknownRequest = (request: unknown) => request as HttpRequest;

describe.each([
  ['traceRequest', (request: HttpRequest) => traceRequest(topology, request)],
  ['matchRequest', (request: HttpRequest) => matchRequest(request, [])],
])('%s, called with an invalid request', (_, ask) => {
  it.each<[string, unknown]>([
    ['host', 5],
    ['host', null],
    ['path', {}],
    ['method', ['GET']],
    ['headers', { accept: 'x' }],
    ['headers', 'accept'],
    ['headers', [['accept']]],
    ['headers', [['accept', 5]]],
    ['headers', [null]],
    ['query', 5],
    ['query', new Map([['a', 1]])],
    ['transport', 'tcp'],
    ['port', '80'],
    ['port', Number.NaN],
    ['listener', 5],
  ])('refuses one whose %s is %j', (field, value) => {
    const { code, issues } = refused(() => ask(unknownRequest({ [field]: value })));
    expect(code).toBe('invalid-request');
    expect(issues).toMatchObject([{ severity: 'error', pointer: `/${field}` }]);
  });

  it.each([[null], ['shop.example.com'], [5]])('refuses %j', (request) => {
    expect(refused(() => ask(unknownRequest(request))).issues).toMatchObject([{ pointer: '' }]);
  });

  it('reports everything at once', () => {
    const { issues } = refused(() => ask(unknownRequest({ host: 5, port: '80' })));
    expect(issues.map(({ message }) => message)).toEqual(['host must be a string', 'port must be an integer']);
  });

  it('accepts headers and query parameters that can be iterated only once', () => {
    expect(() => ask({ headers: new Headers({ a: '1' }), query: new URLSearchParams('b=2').entries() })).not.toThrow();
  });
});

const circular: Record<string, unknown> = { name: 'x' };
circular.value = circular;
const throwing = {
  get path() {
    throw new Error('no');
  },
  get name() {
    throw new Error('no');
  },
};

describe('matchRequest, where a route is not JSON', () => {
  it.each<[string, unknown]>([
    ['something circular', [{ headers: [circular] }]],
    ['a BigInt', [{ headers: [{ name: 'x', value: 5n }] }]],
    ['a list with holes', Array(1)],
    ['a field that throws', [throwing]],
    ['a function', () => 0],
  ])('counts %s as invalid, and answers for the others', (_, matches) => {
    const [answer] = matchRequest({}, [
      listener('https', { routes: [http('odd', matches), http('sound', undefined)] }),
    ]);
    expect(answer?.winner?.route.metadata.name).toBe('sound');
    expect(answer?.unmatched).toMatchObject([{ route: { metadata: { name: 'odd' } }, reason: 'invalid' }]);
  });
});

describe('traceRequest, where a route is not JSON', () => {
  const group = 'gateway.networking.k8s.io';
  const object = (kind: string, name: string, spec: object) => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name, namespace: 'ns' },
    spec,
  });
  const values = [
    null,
    circular,
    5n,
    Array(1),
    [5n],
    [circular],
    throwing,
    [throwing],
    () => 0,
    new Date(0),
    Symbol('x'),
  ];
  const fields = ['filters', 'matches', 'backendRefs', 'name'];

  it.each(fields.flatMap((field) => values.map((value, index) => [field, index, value] as const)))(
    'answers all the same: %s, odd value %i',
    (field, _, value) => {
      const children = [{ group, kind: 'HTTPRoute', name: 'child' }];
      const trees = ['parent', 'child'].map((odd) => {
        const rule = (name: string, backendRefs: readonly object[]) => ({
          backendRefs,
          ...(odd === name && { [field]: value }),
        });
        return [
          object('Gateway', 'edge', { listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] }),
          object('HTTPRoute', 'parent', { parentRefs: [{ name: 'edge' }], rules: [rule('parent', children)] }),
          object('HTTPRoute', 'child', { rules: [rule('child', children)] }),
          object('HTTPRoute', 'sound', { parentRefs: [{ name: 'edge' }], rules: [{ matches: [{ method: 'GET' }] }] }),
        ];
      });
      for (const upsert of trees) {
        const topology = createTopology({ targetKinds: gatewayApi({ delegation: true }) });
        if (isRefused(() => topology.apply({ upsert }))) continue; // Then nothing is left to trace.
        const [trace] = traceRequest(topology, {});
        expect(trace?.winner?.route.ref.name).toBe('sound');
      }
    },
  );
});
