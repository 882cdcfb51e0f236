import type { KubernetesObject } from '@policy-machinery/resource';
import { formatPath, formatTarget } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import type { GatewayApiOptions } from '../attachment/options.ts';
import { clusterWith, gateway, route, service } from '../gateway-api.fixture.ts';
import { paint, painted, paintPolicy } from '../policies.fixture.ts';
import { traceRequest } from './trace-request.ts';

const edge = gateway('edge', { listeners: [{ name: 'web', port: 80, protocol: 'HTTP' }] });
const child = (name: string) => ({ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name });
const backend = { name: 'backend', port: 80 };
const backendService = service('backend', [{ name: 'web', port: 80 }]);

/** Returns a match for a path prefix, with further conditions. */
const at = (value: string, more: object = {}) => ({ path: { type: 'PathPrefix', value }, ...more });
const rule = (match: object, ...backendRefs: readonly object[]) => ({ matches: [match], backendRefs });
const parent = (name: string, ...rules: readonly object[]) =>
  route('HTTPRoute', name, { parentRefs: [{ name: 'edge' }], rules });
const kid = (name: string, ...rules: readonly object[]) => route('HTTPRoute', name, { rules });
const inheriting = (name: string, ...rules: readonly object[]): KubernetesObject => ({
  ...kid(name, ...rules),
  metadata: { name, namespace: 'default', annotations: { 'delegation.kgateway.dev/inherit-parent-matcher': 'true' } },
});

const request = { host: 'shop.example.com', path: '/a/b/c' };
const refuses: GatewayApiOptions = { dataPlane: { sharedHostnames: 'refused' } };

const trace = (resources: readonly KubernetesObject[], asked: object = {}, options: GatewayApiOptions = {}) => {
  const topology = clusterWith({ delegation: true, ...options }, edge, backendService, ...resources);
  const [answer] = traceRequest(topology, { ...request, ...asked });
  if (answer === undefined) throw new Error('no listener');
  return answer;
};
const winnerOf = (resources: readonly KubernetesObject[], asked: object = {}) => {
  const { winner } = trace(resources, asked);
  return winner?.rule && formatTarget(winner.rule).replace('HTTPRoute default/', '');
};

describe('traceRequest through HTTPRoutes that delegate (H-10)', () => {
  const resources = [
    parent('p', rule(at('/a'), child('k'))),
    kid('k', rule(at('/a/x'), backend), rule(at('/a/b'), child('l'))),
    kid('l', rule(at('/a/b/c'), backend), rule(at('/a/b'), backend)),
  ];

  it('finds the rule of the child, through those that delegate to it', () => {
    const { winner } = trace(resources);
    expect(winner?.via.map(formatTarget)).toEqual([
      'HTTPRoute default/p',
      'HTTPRoute default/p#rule-1',
      'HTTPRoute default/k',
      'HTTPRoute default/k#rule-2',
    ]);
    expect([...(winner?.paths ?? [])].map(formatPath)).toEqual([
      'Gateway default/edge#web > HTTPRoute default/p#rule-1 > HTTPRoute default/k#rule-2 > HTTPRoute default/l#rule-1 > Service default/backend#web',
    ]);
  });

  it('lists losses and matches that fail, but no match with children that take its place', () => {
    const { lost, unmatched } = trace(resources);
    expect(lost.map(({ rule, lostBy }) => [rule?.locator.split('/').at(-1), lostBy])).toEqual([
      ['l#rule-2', 'longer prefix'],
    ]);
    expect(unmatched.map(({ rule, reason }) => [rule?.locator.split('/').at(-1), reason])).toEqual([
      ['k#rule-1', 'path'],
    ]);
  });

  it('lists a rule that delegates other requests as not matching', () => {
    const { winner, unmatched } = trace(resources, { path: '/other' });
    expect(winner).toBeUndefined();
    expect(unmatched.map(({ route, reason }) => [route.ref.name, reason])).toEqual([['p', 'path']]);
  });

  it('continues to other routes if no child matches the request', () => {
    const others = [...resources, parent('z', rule(at('/'), backend))];
    expect(winnerOf(others, { path: '/a/y' })).toBe('z#rule-1');
    expect(winnerOf(others)).toBe('l#rule-1');
  });

  const header = (name: string, value: string) => ({ type: 'Exact', name, value });
  const asked = {
    headers: [
      ['x', '1'],
      ['y', '2'],
    ],
  };
  const withX = { headers: [header('x', '1')] };

  it.each([
    ['a path below the one of the parent', at('/a'), at('/a/b'), 'k#rule-1'],
    ['another path', at('/a'), at('/'), undefined],
    ['no path', at('/a'), {}, undefined],
    ['no path, and the parent has none', {}, {}, 'k#rule-1'],
    ['an exact path', at('/a'), { path: { type: 'Exact', value: '/a/b/c' } }, 'k#rule-1'],
    [
      'the exact path of the parent',
      { path: { type: 'Exact', value: '/a/b/c' } },
      { path: { type: 'Exact', value: '/a/b/c' } },
      undefined,
    ],
    [
      'the headers of the parent and more',
      at('/a', withX),
      at('/a', { headers: [header('y', '2'), header('X', '1')] }),
      'k#rule-1',
    ],
    ['other headers', at('/a', withX), at('/a', { headers: [header('y', '2')] }), undefined],
    [
      'the query of the parent',
      at('/a', { queryParams: [header('q', '1')] }),
      at('/a', { queryParams: [{ name: 'q', value: '1' }] }),
      'k#rule-1',
    ],
    ['no query', at('/a', { queryParams: [header('q', '1')] }), at('/a'), undefined],
    ['the method of the parent', at('/a', { method: 'GET' }), at('/a', { method: 'GET' }), 'k#rule-1'],
    ['no method', at('/a', { method: 'GET' }), at('/a'), undefined],
    ['a method of its own', at('/a'), at('/a', { method: 'GET' }), 'k#rule-1'],
  ])("requires the parent's conditions of requests to a child: %s", (_, ofParent, ofChild, expected) => {
    const both = [parent('p', rule(ofParent, child('k'))), kid('k', rule(ofChild, backend))];
    expect(winnerOf(both, { ...asked, path: '/a/b/c?q=1' })).toBe(expected);
    if (expected !== undefined) return;
    expect(
      trace(both, { ...asked, path: '/a/b/c?q=1' }).unmatched.map(({ reason, pointer }) => [reason, pointer]),
    ).toEqual([['no-children', '/spec/rules/0/matches/0']]);
  });

  it('reports a match of a child outside of the delegated requests', () => {
    const both = [parent('p', rule(at('/a'), child('k'))), kid('k', rule(at('/b')), rule(at('/a'), backend))];
    const { winner, unmatched } = trace(both);
    expect(winner?.rule?.ref.section).toBe('rule-2');
    expect(unmatched.map(({ rule, reason, pointer }) => [rule?.ref.section, reason, pointer])).toEqual([
      ['rule-1', 'delegation', '/spec/rules/0/matches/0'],
    ]);
  });

  it.each([
    ['does not exist', []],
    ['names other parents', [route('HTTPRoute', 'k', { parentRefs: [child('q')], rules: [rule(at('/a'))] })]],
  ])('takes no request by a rule with only one child, which %s', (_, children) => {
    const { winner, unmatched } = trace([
      parent('p', rule(at('/a'), child('k'))),
      ...children,
      parent('z', rule(at('/'))),
    ]);
    expect(winner?.route.ref.name).toBe('z');
    expect(unmatched.map(({ route, reason }) => [route.ref.name, reason])).toEqual([['p', 'no-children']]);
  });

  it('takes requests by the other rules of a route that delegates', () => {
    const p = parent('p', rule(at('/x'), child('k')), rule(at('/a'), backend));
    expect(winnerOf([p, kid('k', rule(at('/x'), backend))])).toBe('p#rule-2');
    expect(winnerOf([parent('p', rule(at('/a/b'), child('k')), rule(at('/a'), backend))])).toBe('p#rule-2');
  });

  it('does not treat HTTPRoutes among backends as children without delegation', () => {
    const topology = clusterWith({}, edge, parent('p', rule(at('/a'), child('k'))));
    expect(traceRequest(topology, request)[0]?.winner?.route.ref.name).toBe('p');
  });

  it.each([
    ['the path of its parent before its own', at('/a'), at('/b'), 'k#rule-1'],
    ['the path of its parent only', at('/a'), {}, 'k#rule-1'],
    ['what its parent asks for', at('/a', { method: 'POST' }), at('/b', { method: 'GET' }), undefined],
    [
      'headers, the parent first',
      at('/a', withX),
      at('/b', { headers: [header('x', '3'), header('y', '2')] }),
      'k#rule-1',
    ],
    ['its own headers', at('/a', withX), at('/b', { headers: [header('y', '3')] }), undefined],
  ])('lets a child inherit, with its annotation, %s', (_, ofParent, ofChild, expected) => {
    expect(winnerOf([parent('p', rule(ofParent, child('k'))), inheriting('k', rule(ofChild, backend))], asked)).toBe(
      expected,
    );
  });

  it('lets a child inherit the hostnames', () => {
    const host = route('HTTPRoute', 'p', {
      parentRefs: [{ name: 'edge' }],
      hostnames: ['*.example.com'],
      rules: [rule(at('/a'), child('k'))],
    });
    const both = [host, kid('k', rule(at('/a'), backend))];
    expect(trace(both).winner?.hostname).toBe('*.example.com');
    expect(trace(both, { host: 'other.org' }).unmatched.map(({ route, reason }) => [route.ref.name, reason])).toEqual([
      ['p', 'host'],
    ]);
  });

  it('counts the parent that comes first, where two delegate the same', () => {
    const two = [
      parent('p', rule(at('/a'), child('k')), rule(at('/a'), child('k'))),
      kid('k', rule(at('/a'), backend)),
    ];
    const { winner, lost } = trace(two);
    expect(winner?.via.map(formatTarget)).toContain('HTTPRoute default/p#rule-1');
    expect(lost.map(({ via, lostBy }) => [via.at(-1)?.ref.section, lostBy])).toEqual([['rule-2', 'listed first']]);
  });

  it.each([
    ['the child is the oldest', { child: 2020, grpc: 2021, parent: 2022 }, 'grpc'],
    ['all are of one age, and the child has the first name', { child: 2020, grpc: 2020, parent: 2020 }, 'grpc'],
    ['the parent is the oldest', { parent: 2020, grpc: 2021, child: 2022 }, 'child'],
  ])('compares the age of the parent, not of the child, with a GRPCRoute: %s', (_, years, expected) => {
    const aged = (resource: KubernetesObject, year: number) => ({
      ...resource,
      metadata: { ...resource.metadata, creationTimestamp: `${year}-01-01T00:00:00Z` },
    });
    const { winner, lost } = trace(
      [
        aged(parent('parent', rule(at('/a'), child('child'))), years.parent),
        aged(kid('child', rule(at('/a'), backend)), years.child),
        aged(
          route('GRPCRoute', 'grpc', { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: [backend] }] }),
          years.grpc,
        ),
      ],
      { path: '/a/b' },
      refuses,
    );
    expect(winner?.route.ref.name).toBe(expected);
    expect(lost).toMatchObject([{ lostBy: 'older route of another kind' }]);
  });

  it('does not find children of a route that the listener refuses, also where it keeps another route of its kind', () => {
    const calls = route('GRPCRoute', 'calls', {
      parentRefs: [{ name: 'edge' }],
      hostnames: ['calls.example.com'],
      rules: [{ backendRefs: [backend] }],
    });
    const aged = (resource: KubernetesObject, year: number) => ({
      ...resource,
      metadata: { ...resource.metadata, creationTimestamp: `${year}-01-01T00:00:00Z` },
    });
    const kept = route('HTTPRoute', 'kept', {
      parentRefs: [{ name: 'edge' }],
      hostnames: ['shop.example.com'],
      rules: [rule(at('/other'), backend)],
    });
    const routes = [
      aged(calls, 2020),
      aged(parent('p', rule(at('/a'), child('k'))), 2024),
      kid('k', rule(at('/a'), backend)),
      aged(kept, 2024),
    ];
    const { winner, lost } = trace(routes, {}, refuses);
    expect(winner).toBeUndefined();
    expect(lost.map(({ route: { ref }, lostBy }) => [ref.name, lostBy])).toEqual([
      ['p', 'older route of another kind'],
    ]);
    const open = trace(routes);
    expect(open.winner).toBeUndefined();
    expect(open.undecided.map(({ route: { ref }, dependsOn }) => [ref.name, dependsOn])).toEqual([
      ['k', 'shared hostname'],
    ]);
  });

  it('meets the policies of parent and child', () => {
    const policies = [
      paint('p', 'HTTPRoute default/p', { color: 'red', size: 1 }),
      paint('k', 'HTTPRoute default/k', { size: 2 }),
    ];
    const { topology, effective } = painted(paintPolicy(), { delegation: true }, [
      edge,
      ...resources,
      backendService,
      ...policies,
    ]);
    const [answer] = traceRequest(topology, request);
    const [path] = answer?.winner?.paths ?? [];
    expect(effective.along(path ?? []).at(-1)?.spec).toEqual({ color: 'red', size: 2 });
  });

  it('reports a route with too many children as undecided, and answers for all others', () => {
    const levels = Array.from({ length: 15 }, (_, index) =>
      kid(`k${index}`, rule(at('/a'), child(`k${index + 1}`)), rule(at('/a'), child(`k${index + 1}`))),
    );
    const other = parent('other', rule(at('/'), child('small')));
    const { winner, unmatched } = trace([
      parent('p', rule(at('/a'), child('k0'))),
      ...levels,
      other,
      kid('small', rule(at('/'))),
    ]);
    expect(winner?.route.ref.name).toBe('small');
    expect(unmatched.filter(({ route }) => route.ref.name === 'p').map(({ reason }) => reason)).toEqual([
      'too-many-children',
    ]);
  });

  it('takes children with anything in them', () => {
    const odd = [
      { rules: [{ matches: 5 }] },
      { rules: [{ matches: [null, { path: 5 }, { path: { value: {} } }] }] },
      { rules: 5 },
      {},
    ];
    const kids = odd.map((spec, index) => route('HTTPRoute', `k${index}`, spec));
    const all = kids.map(({ metadata }) => child(metadata.name));
    expect(trace([parent('p', rule(at('/'), ...all)), ...kids]).winner?.route.ref.name).toBe('k3');
  });
});
