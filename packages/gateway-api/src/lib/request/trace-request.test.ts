import type { KubernetesObject } from '@policy-machinery/resource';
import { formatPath, formatTarget, type Topology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { clusterWith, gateway, gatewayClass, listenerSet, route, service } from '../gateway-api.fixture.ts';
import { paint, painted, paintPolicy } from '../policies.fixture.ts';
import type { RequestTrace } from './request-trace.ts';
import { traceRequest } from './trace-request.ts';

const created = (resource: KubernetesObject, year: number): KubernetesObject => ({
  ...resource,
  metadata: { ...resource.metadata, creationTimestamp: `${year}-01-01T00:00:00Z` },
});
const prefix = (value: string) => [{ path: { type: 'PathPrefix', value } }];
const rule = (name: string, path: string, ...backends: readonly string[]) => ({
  name,
  matches: prefix(path),
  backendRefs: backends.map((backend) => ({ name: backend, port: 80 })),
});
const http = (name: string, spec: object) => route('HTTPRoute', name, spec);
const services = ['cart', 'shop', 'canary'].map((name) => service(name, [{ name: 'web', port: 80 }]));

const edge = gateway('edge', {
  gatewayClassName: 'public',
  listeners: [
    { name: 'any', port: 80, protocol: 'HTTP' },
    { name: 'shop', port: 80, protocol: 'HTTP', hostname: '*.example.com' },
  ],
});
const resources: readonly KubernetesObject[] = [
  gatewayClass('public'),
  edge,
  ...services,
  http('cart', {
    parentRefs: [{ name: 'edge' }],
    rules: [rule('all', '/', 'shop'), rule('cart', '/cart', 'cart', 'canary')],
  }),
  http('shop', { parentRefs: [{ name: 'edge', sectionName: 'shop' }], rules: [rule('any', '/cart', 'shop')] }),
].map((resource) => created(resource, 2024));
const request = { host: 'shop.example.com', path: '/cart/7' };

const one = (topology: Topology, asked = request): RequestTrace => {
  const [trace, ...others] = traceRequest(topology, asked);
  if (trace === undefined || others.length > 0) throw new Error(`${others.length} more`);
  return trace;
};
const pathsOf = ({ winner }: RequestTrace) => [...(winner?.paths ?? [])].map(formatPath);

describe('traceRequest', () => {
  it('finds listener, route and rule, and the paths to the backends', () => {
    const trace = one(clusterWith({}, ...resources));
    expect(
      [trace.entry, trace.listener, trace.winner?.listener, trace.winner?.route, trace.winner?.rule].map(
        (node) => node && formatTarget(node),
      ),
    ).toEqual([
      'Gateway default/edge',
      'Gateway default/edge#shop',
      'Gateway default/edge#shop',
      'HTTPRoute default/cart',
      'HTTPRoute default/cart#cart',
    ]);
    expect(pathsOf(trace)).toEqual([
      'GatewayClass public > Gateway default/edge#shop > HTTPRoute default/cart#cart > Service default/canary#web',
      'GatewayClass public > Gateway default/edge#shop > HTTPRoute default/cart#cart > Service default/cart#web',
    ]);
  });

  it('lists the others with the rule that made them lose', () => {
    const { lost, unmatched } = one(clusterWith({}, ...resources));
    expect(
      lost.map(({ rule, listener, lostBy }) => [formatTarget(listener), rule && formatTarget(rule), lostBy]),
    ).toEqual([
      ['Gateway default/edge#shop', 'HTTPRoute default/shop#any', 'first by name'],
      ['Gateway default/edge#shop', 'HTTPRoute default/cart#all', 'longer prefix'],
      ['Gateway default/edge#any', 'HTTPRoute default/cart#all', 'another listener'],
      ['Gateway default/edge#any', 'HTTPRoute default/cart#cart', 'another listener'],
    ]);
    expect(unmatched).toEqual([]);
  });

  it('lets the older route win, by its creation time', () => {
    const [cart, shop] = resources.slice(-2) as [KubernetesObject, KubernetesObject];
    const aged = (ofCart: number, ofShop: number) =>
      one(clusterWith({}, ...resources.slice(0, -2), created(cart, ofCart), created(shop, ofShop))).winner?.route.ref
        .name;
    expect([aged(2024, 2025), aged(2025, 2024)]).toEqual(['cart', 'shop']);
  });

  it('reports mismatches, and matches that depend on a regular expression', () => {
    const regular = { matches: [{ path: { type: 'RegularExpression', value: '/c.*' } }] };
    const other = http('other', {
      parentRefs: [{ name: 'edge', sectionName: 'shop' }],
      rules: [rule('x', '/x'), regular],
    });
    const topology = clusterWith({}, ...resources, other);
    const { winner, undecided, unmatched } = one(topology);
    expect(winner?.rule?.ref.section).toBe('cart');
    expect(undecided.map(({ rule, pointer }) => [rule?.ref.section, pointer])).toEqual([
      ['rule-2', '/spec/rules/1/matches/0/path'],
    ]);
    expect(unmatched.map(({ rule, reason }) => [rule?.ref.section, reason])).toEqual([['x', 'path']]);

    const regularExpression = (pattern: string) => (text: string) => new RegExp(`^${pattern}$`).test(text);
    const [decided] = traceRequest(topology, request, { regularExpression });
    expect(decided?.winner?.rule?.ref.section).toBe('rule-2');
  });

  it('considers routes only at listeners that admit them', () => {
    const closed = { name: 'shop', port: 80, protocol: 'HTTP', allowedRoutes: { kinds: [{ kind: 'GRPCRoute' }] } };
    const topology = clusterWith({}, ...resources, gateway('other', { listeners: [closed] }));
    const [trace] = traceRequest(topology, request, { gateway: 'gateway.gateway.networking.k8s.io:default/other' });
    expect(trace).toMatchObject({ lost: [], undecided: [], unmatched: [] });
    expect(trace?.winner).toBeUndefined();
  });

  it('answers for every Gateway and port, or only for the given ones', () => {
    const listeners = [443, 80].map((port) => ({ name: `p${port}`, port, protocol: 'HTTP' }));
    const topology = clusterWith({}, ...resources, gateway('a', { listeners }));
    const places = (asked: object, options: object = {}) =>
      traceRequest(topology, { ...request, ...asked }, options).map((it) => `${it.entry.ref.name}:${it.port}`);
    expect(places({})).toEqual(['a:80', 'a:443', 'edge:80']);
    expect(places({ port: 443 })).toEqual(['a:443']);
    expect(places({ listener: 'p80' })).toEqual(['a:80']);
    expect(places({}, { gateway: topology.get('gateway.gateway.networking.k8s.io:default/edge') })).toEqual([
      'edge:80',
    ]);
    expect(places({}, { gateway: 'gateway.gateway.networking.k8s.io:default/none' })).toEqual([]);
    expect(places({}, { gateway: 'service:default/cart' })).toEqual([]);
  });

  it('accepts listeners of ListenerSets, by namespace, name and listener', () => {
    const set = listenerSet('extra', {
      parentRef: { name: 'open' },
      listeners: [{ name: 'web', port: 80, protocol: 'HTTP', hostname: 'shop.example.com' }],
    });
    const open = gateway('open', {
      allowedListeners: { namespaces: { from: 'All' } },
      listeners: [{ name: 'web', port: 80, protocol: 'HTTP' }],
    });
    const parentRefs = [{ kind: 'ListenerSet', name: 'extra' }];
    const topology = clusterWith(
      {},
      open,
      set,
      ...services,
      http('in-set', { parentRefs, rules: [rule('all', '/', 'cart')] }),
    );
    expect(pathsOf(one(topology))).toEqual([
      'Gateway default/open > ListenerSet default/extra#web > HTTPRoute default/in-set#all > Service default/cart#web',
    ]);
    const asked = (listener: string) => traceRequest(topology, { ...request, listener })[0]?.winner?.route.ref.name;
    expect([asked('default/extra/web'), asked('web')]).toEqual(['in-set', undefined]);
  });

  it('ends a path at the rule where it lacks backends, also at the rule that the API server adds to a route without rules', () => {
    const at = (spec: object) =>
      pathsOf(
        one(
          clusterWith(
            {},
            gateway('edge', { listeners: [{ name: 'web', port: 80, protocol: 'HTTP' }] }),
            http('r', { parentRefs: [{ name: 'edge' }], ...spec }),
          ),
        ),
      );
    expect(at({ rules: [rule('all', '/')] })).toEqual(['Gateway default/edge#web > HTTPRoute default/r#all']);
    expect(at({})).toEqual(['Gateway default/edge#web > HTTPRoute default/r#rule-1']);
  });

  it('takes Gateways with anything in them', () => {
    const listeners = [
      { port: '80' },
      { port: 80, protocol: 'HTTP', hostname: 5 },
      { port: {} },
      null,
      { name: {}, port: 80, protocol: 'HTTP' },
    ];
    const topology = clusterWith(
      {},
      gateway('odd', { listeners }),
      http('r', { parentRefs: [{ name: 'odd' }], rules: 5 }),
    );
    expect(traceRequest(topology, request).map(({ winner }) => winner)).toEqual([undefined]);
  });
});

describe('the paths of a request', () => {
  it('go on below backends, to where nothing follows', () => {
    const whole = http('whole', { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: [{ name: 'cart' }] }] });
    const trace = one(clusterWith({}, gatewayClass('public'), edge, ...services, whole));
    expect(pathsOf(trace)).toEqual([
      'GatewayClass public > Gateway default/edge#shop > HTTPRoute default/whole#rule-1 > Service default/cart#web',
    ]);
  });
});

describe('which request meets which policy', () => {
  const kind = paintPolicy();
  const policies = [
    paint('gateway', 'Gateway default/edge', { color: 'red', size: 1 }),
    paint('any', 'Gateway default/edge#any', { listener: 'any' }),
    paint('shop', 'Gateway default/edge#shop', { listener: 'shop' }),
    paint('cart', 'HTTPRoute default/cart#cart', { color: 'blue' }),
    paint('backend', 'Service default/canary', { size: 2 }),
  ];
  const { topology, effective } = painted(kind, {}, [...resources, ...policies]);
  const specsOf = (host: string) =>
    [...(one(topology, { ...request, host }).winner?.paths ?? [])].map((path) =>
      effective.along(path).map(({ target, spec }) => [formatTarget(target), spec]),
    );

  it('follows from the effective policies along its paths', () => {
    expect(specsOf('shop.example.com')).toEqual([
      [
        ['HTTPRoute default/cart#cart', { color: 'blue', size: 1, listener: 'shop' }],
        ['Service default/canary#web', { color: 'blue', size: 2, listener: 'shop' }],
      ],
      [
        ['HTTPRoute default/cart#cart', { color: 'blue', size: 1, listener: 'shop' }],
        ['Service default/cart#web', { color: 'blue', size: 1, listener: 'shop' }],
      ],
    ]);
  });

  it('depends on the listener that it arrives at', () => {
    expect(specsOf('elsewhere.org')[0]?.[0]).toEqual([
      'HTTPRoute default/cart#cart',
      { color: 'blue', size: 1, listener: 'any' },
    ]);
  });
});
