import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import type { DataPlane, ListenerIsolation } from '../listeners/data-plane.ts';
import type { HttpRequest } from '../matching/http-request.ts';
import type { Precedence } from './answer.ts';
import { type MatchOptions, matchRequest } from './match-request.ts';
import { ask, askAt, grpc, http, listener, regularExpression, request, route, takes } from './request.fixture.ts';

const exact = (value: string) => ({ path: { type: 'Exact', value } });
const prefix = (value: string) => ({ path: { type: 'PathPrefix', value } });
const expression = (value: string) => ({ path: { type: 'RegularExpression', value } });
const header = (name: string, value: string, type?: string) => ({ headers: [{ name, value, type }] });
const param = (name: string, value: string, type?: string) => ({ queryParams: [{ name, value, type }] });

const full: Partial<HttpRequest> = {
  path: '/cart/items',
  headers: [
    ['a', '1'],
    ['b', '2'],
  ],
  query: [
    ['p', '1'],
    ['q', '2'],
  ],
};
const twoHeaders = { headers: [...header('a', '1').headers, ...header('b', '2').headers] };
const twoParams = { queryParams: [...param('p', '1').queryParams, ...param('q', '2').queryParams] };
const old = { year: 2020 };

/** Returns a route without a creation time. */
function ageless({ metadata: { creationTimestamp: _, ...metadata }, ...route }: KubernetesObject): KubernetesObject {
  return { ...route, metadata };
}

describe('matchRequest: precedence', () => {
  const everything = { method: 'GET', ...twoHeaders, ...twoParams };

  /** Of each pair, the second has on its side as many of the later rules as there can be. */
  it.each<[Precedence, KubernetesObject, KubernetesObject, MatchOptions?]>([
    [
      'more specific hostname',
      http('b', [{}], { hostnames: ['shop.example.com'] }),
      http('a', [exact('/cart/items')], { ...old, hostnames: ['*.example.com'] }),
    ],
    [
      'more specific hostname',
      http('b', [{}], { hostnames: ['*.example.com'] }),
      http('a', [exact('/cart/items')], { ...old, hostnames: ['*.com'] }),
    ],
    ['more specific hostname', http('b', [{}], { hostnames: ['*.com'] }), http('a', [exact('/cart/items')], old)],
    ['exact path', http('b', [exact('/cart/items')]), http('a', [{ ...prefix('/cart/items'), ...everything }], old)],
    [
      'exact path',
      http('b', [exact('/cart/items')]),
      http('a', [{ ...expression('/cart/items|unused'), ...everything }], old),
      { regularExpression },
    ],
    [
      'regular expression before prefix',
      http('b', [expression('.*')]),
      http('a', [{ ...prefix('/cart/items'), ...everything }], old),
      { regularExpression },
    ],
    [
      'prefix before regular expression',
      http('b', [prefix('/')]),
      http('a', [{ ...expression('/cart/.*'), ...everything }], old),
      { regularExpression, regularExpressionPaths: 'after-prefixes' },
    ],
    [
      'longer regular expression',
      http('b', [expression('/cart/.*')]),
      http('a', [{ ...expression('.*'), ...everything }], old),
      { regularExpression },
    ],
    ['longer prefix', http('b', [prefix('/cart')]), http('a', [{ ...prefix('/'), ...everything }], old)],
    [
      'method',
      http('b', [{ ...prefix('/cart'), method: 'GET' }]),
      http('a', [{ ...prefix('/cart/'), ...twoHeaders, ...twoParams }], old),
    ],
    ['more headers', http('b', [twoHeaders]), http('a', [{ ...header('a', '1'), ...twoParams }], old)],
    ['more query parameters', http('b', [twoParams]), http('a', [param('p', '1')], old)],
    ['older route', http('b', [{}], old), http('a', [{}], { year: 2021 })],
    ['first by name', http('a', [{}]), http('b', [{}])],
    [
      'gRPC service',
      grpc('b', [{ method: { service: 'cart' } }]),
      grpc('a', [{ method: { method: 'items' }, ...twoHeaders }], old),
    ],
    [
      'gRPC service',
      grpc('b', [{ method: { service: 'cart' } }]),
      grpc('a', [{ method: { type: 'RegularExpression', service: 'c.*', method: 'i.*' }, ...twoHeaders }], old),
      { regularExpression },
    ],
    [
      'gRPC method',
      grpc('b', [{ method: { service: 'cart', method: 'items' } }]),
      grpc('a', [{ method: { service: 'cart' }, ...twoHeaders }], old),
    ],
    ['more headers', grpc('b', [twoHeaders]), grpc('a', [header('a', '1')], old)],
  ])('is decided by %s', (lostBy, first, second, options) => {
    for (const routes of [
      [first, second],
      [second, first],
    ]) {
      const { winner, lost } = ask(routes, full, options);
      expect(winner?.route.metadata.name).toBe(first.metadata.name);
      expect(lost).toMatchObject([{ route: second, lostBy }]);
    }
  });

  it('is decided by the first rule in the route, and the first match in the rule', () => {
    const rules = [
      { matches: [exact('/other')] },
      { matches: [prefix('/cart/'), prefix('/cart')] },
      { matches: [prefix('/cart')] },
    ];
    expect(ask([route('HTTPRoute', 'r', { rules })])).toMatchObject({
      winner: { ruleIndex: 1, matchIndex: 0 },
      lost: [
        { ruleIndex: 1, matchIndex: 1, lostBy: 'first match in the rule' },
        { ruleIndex: 2, matchIndex: 0, lostBy: 'first rule in the route' },
      ],
    });
  });

  it('counts of the conditions on one header or query parameter the first only', () => {
    const thrice = { headers: ['a', 'A', 'a'].map((name) => ({ name, value: '1' })) };
    expect(ask([http('a', [thrice]), http('b', [twoHeaders])], full)).toMatchObject({
      winner: { route: { metadata: { name: 'b' } } },
      lost: [{ lostBy: 'more headers' }],
    });
  });

  it.each<[string, KubernetesObject, KubernetesObject]>([
    ['neither age', ageless(http('a', [{}])), ageless(http('b', [{}]))],
    ['the age of the first by name', ageless(http('a', [{}])), http('b', [{}])],
    ['the age of the last by name', http('a', [{}]), ageless(http('b', [{}]))],
  ])('cannot tell which of two routes is older without %s', (_, a, b) => {
    const { winner, undecided, lost } = ask([a, b]);
    expect(lost).toEqual([]);
    expect(new Set([winner, ...undecided].map((it) => it?.route))).toEqual(new Set([a, b]));
    expect(undecided).toMatchObject([{ dependsOn: 'age', pointer: '/metadata/creationTimestamp' }]);
    expect(undecided[0]).not.toHaveProperty('lostBy');
  });

  it('needs no age of a route to know that another match precedes its matches', () => {
    const specific = ageless(http('b', [exact('/cart')]));
    expect(ask([ageless(http('a', [{}])), specific])).toMatchObject({
      winner: { route: specific },
      undecided: [],
      lost: [{ lostBy: 'exact path' }],
    });
  });

  it('knows that a route loses to an older one, whatever the age of a third one is', () => {
    const [older, newer] = [http('b', [{}], old), http('c', [{}])];
    const { winner, undecided, lost } = ask([ageless(http('a', [{}])), newer, older]);
    expect(winner?.route).toBe(older);
    expect(undecided).toMatchObject([{ route: { metadata: { name: 'a' } }, dependsOn: 'age' }]);
    expect(lost).toMatchObject([{ route: newer, lostBy: 'older route' }]);
  });
});

describe('matchRequest: routes with different hostnames that have the same in common with the listener', () => {
  const specific = http('specific', [{}], { hostnames: ['*.example.com'] });
  const older = http('older', [{}], { year: 2020, hostnames: ['*.com'] });
  const at = (dataPlane: DataPlane, ...routes: readonly KubernetesObject[]) =>
    askAt(listener('https', { hostname: '*.example.com', routes, dataPlane }));

  it('are distinguished by age where the intersections decide', () => {
    expect(at({ hostnamePrecedence: 'intersection' }, specific, older)).toMatchObject({
      winner: { route: older, hostname: '*.com' },
      lost: [{ route: specific, lostBy: 'older route' }],
    });
  });

  it('are distinguished by path before age where the intersections decide', () => {
    const longer = http('longer', [prefix('/cart')], { hostnames: ['*.com'] });
    expect(at({ hostnamePrecedence: 'intersection' }, specific, longer)).toMatchObject({
      winner: { route: longer },
      lost: [{ route: specific, lostBy: 'longer prefix' }],
    });
  });

  it('are distinguished by the hostnames of the routes where these decide', () => {
    expect(at({ hostnamePrecedence: 'route' }, specific, older)).toMatchObject({
      winner: { route: specific },
      lost: [{ route: older, lostBy: 'more specific hostname' }],
    });
  });

  it('may both take the request if it is not known which hostnames decide', () => {
    expect(at({}, specific, older)).toMatchObject({
      winner: { route: older },
      undecided: [{ route: specific, dependsOn: 'hostname precedence', pointer: '/spec/hostnames' }],
      lost: [],
    });
  });

  it('may both take the request if a more specific hostname precedes another one of unknown age', () => {
    const undated = ageless(http('a', [{}], { hostnames: ['*.example.com'] }));
    expect(at({}, undated, ageless(older))).toMatchObject({
      undecided: [{ dependsOn: 'hostname precedence' }],
      lost: [],
    });
  });

  it('are decided if both answers are the same', () => {
    const younger = http('younger', [{}], { year: 2025, hostnames: ['*.com'] });
    expect(at({}, specific, younger)).toMatchObject({ winner: { route: specific }, undecided: [] });
    const exactHost = http('exact', [{}], { year: 2025, hostnames: ['shop.example.com'] });
    expect(at({}, exactHost, older)).toMatchObject({ winner: { route: exactHost }, undecided: [] });
  });

  it('may be one route, and take the request once', () => {
    const both = http('both', [{}], { hostnames: ['*.com', '*.example.com'] });
    expect(at({}, both)).toMatchObject({ winner: { hostname: '*.example.com' }, undecided: [], lost: [] });
  });
});

describe('matchRequest: an HTTPRoute and a GRPCRoute with one hostname', () => {
  const at = (sharedHostnames: NonNullable<DataPlane['sharedHostnames']>, ...routes: readonly KubernetesObject[]) =>
    askAt(listener('https', { routes, dataPlane: { sharedHostnames } }), full);
  const [service, method] = ['cart', 'items'];

  it.each([
    ['HTTPRoute', http('b', [exact('/other')], old), grpc('a', [{}])],
    ['GRPCRoute', grpc('b', [{ method: { service: 'other' } }], old), http('a', [{}])],
    ['first by name', http('a', [exact('/other')]), grpc('b', [{}])],
    ['first by kind', grpc('a', [{ method: { service: 'other' } }]), http('a', [{}])],
  ])('leaves the host to the kind of the oldest route, if the data plane refuses the other: %s', (_, older, newer) => {
    const refused = at('refused', newer, older);
    expect(refused.winner).toBeUndefined();
    expect(refused.lost).toMatchObject([{ route: newer, lostBy: 'older route of another kind' }]);
    expect(at('allowed', newer, older).winner?.route).toBe(newer);
    const open = at('both', newer, older);
    expect(open.winner).toBeUndefined();
    expect(open.undecided).toMatchObject([{ route: newer, dependsOn: 'shared hostname', pointer: '/spec/hostnames' }]);
  });

  it('leaves the winner unknown if the data plane refuses one of them, and the ages are not known', () => {
    const { winner, undecided } = at('refused', ageless(http('a', [{}])), grpc('b', [{}]));
    expect(winner).toBeUndefined();
    expect(undecided.map(({ dependsOn }) => dependsOn)).toEqual(['shared hostname', 'shared hostname']);
  });

  it('takes both under different hostnames', () => {
    const httpRoute = http('old', [{}], { year: 2020, hostnames: ['example.org'] });
    const young = grpc('new', [{}], { hostnames: ['shop.example.com'] });
    for (const shared of ['refused', 'allowed', 'both'] as const) {
      expect(at(shared, httpRoute, young).winner?.route).toBe(young);
    }
  });

  it.each<[string, object, object, 'HTTPRoute' | 'GRPCRoute' | undefined]>([
    ['a method before the prefix of its path', { path: { value: '/' } }, { method: { service, method } }, 'GRPCRoute'],
    [
      'a method before a regular expression',
      { path: { type: 'RegularExpression', value: '/.*' } },
      { method: { service, method } },
      'GRPCRoute',
    ],
    ['a prefix before all calls', { path: { value: '/cart' } }, {}, 'HTTPRoute'],
    ['an exact path before a service', exact('/cart/items'), { method: { service } }, 'HTTPRoute'],
    ['neither of all paths and all calls', { path: { value: '/' } }, {}, undefined],
    [
      'neither of an exact path and the method that it stands for',
      exact('/cart/items'),
      { method: { service, method } },
      undefined,
    ],
    ['neither of a prefix and a service', { path: { value: '/cart' } }, { method: { service } }, undefined],
    ['neither of a prefix and a method without a service', { path: { value: '/' } }, { method: { method } }, undefined],
  ])('puts %s, if both are served', (_, httpMatch, grpcMatch, first) => {
    const engine = { regularExpression };
    const routes = [http('a', [httpMatch], old), grpc('b', [grpcMatch])];
    const [answer] = matchRequest(
      { ...request, ...full },
      [listener('https', { routes, dataPlane: { sharedHostnames: 'allowed' } })],
      engine,
    );
    if (first === undefined) expect(answer?.undecided).toMatchObject([{ dependsOn: 'precedence of kinds' }]);
    else expect(answer).toMatchObject({ winner: { route: { kind: first } }, undecided: [] });
  });
});

describe('matchRequest: listeners', () => {
  const routes = [http('r', [{}])];
  const names = (asked: Partial<HttpRequest>, ...hostnames: readonly (string | undefined)[]) =>
    matchRequest(
      { ...request, ...asked },
      hostnames.map((hostname, index) => listener(`l${index}`, { hostname, routes })),
    ).map((answer) => answer.listener?.name);

  it.each([
    ['an exact hostname before a wildcard', ['*.example.com', 'shop.example.com']],
    ['a longer wildcard before a shorter one', ['*.com', '*.example.com']],
    ['a wildcard before none', [undefined, '*.com']],
    ['a hostname in any case', ['example.com', 'Shop.Example.com']],
    ['none that is empty before a wildcard of others', ['*.shop.example.com', '']],
  ])('takes %s', (_, hostnames) => {
    expect(names({}, ...hostnames)).toEqual(['l1']);
    expect(names({ host: 'SHOP.example.com:8443' }, ...hostnames)).toEqual(['l1']);
  });

  describe('beside a listener with a more specific hostname', () => {
    const isElsewhere = { listener: { name: 'wide' }, lostBy: 'another listener' };
    const isOpen = { listener: { name: 'wide' }, dependsOn: 'listener isolation', pointer: '/spec/parentRefs' };

    it.each<[isolation: ListenerIsolation | 'both', path: string, expected: object]>([
      ['supported', '/other', { lost: [isElsewhere], undecided: [] }],
      ['unsupported', '/other', { lost: [], undecided: [isOpen] }],
      ['both', '/other', { lost: [], undecided: [isOpen] }],
      ['unsupported', request.path ?? '', { lost: [isElsewhere], undecided: [] }],
    ])(
      'a listener takes no requests as far as isolation is %s, if the other one matches %s',
      (fact, path, expected) => {
        const dataPlane = { listenerIsolation: fact };
        const [answer] = matchRequest(request, [
          listener('wide', { routes, dataPlane }),
          listener('narrow', { hostname: 'shop.example.com', routes: [http('other', [exact(path)])], dataPlane }),
        ]);
        expect(answer).toMatchObject({ listener: { name: 'narrow' }, ...expected });
        expect(answer?.winner?.listener.name).toBe(path === request.path ? 'narrow' : undefined);
      },
    );

    it('a listener may take a request if its route precedes the routes of the other one', () => {
      const [answer] = matchRequest(request, [
        listener('wide', { routes: [http('a', [prefix('/')], { hostnames: ['shop.example.com'] })] }),
        listener('narrow', { hostname: '*.example.com', routes: [http('b', [exact(request.path ?? '')])] }),
      ]);
      expect(answer).toMatchObject({ winner: { listener: { name: 'narrow' } }, lost: [], undecided: [isOpen] });
    });

    it('only the first match of a listener may take a request', () => {
      const [answer] = matchRequest(request, [
        listener('wide', { routes: [http('a', [prefix('/cart')]), http('b', [prefix('/')])] }),
        listener('narrow', { hostname: 'shop.example.com', routes: [http('c', [exact('/other')])] }),
      ]);
      expect(answer).toMatchObject({
        undecided: [{ ...isOpen, route: { metadata: { name: 'a' } } }],
        lost: [{ route: { metadata: { name: 'b' } }, lostBy: 'longer prefix' }],
      });
    });

    it('a regular expression of a listener may take a request, and so may the first match behind it', () => {
      const expression = { path: { type: 'RegularExpression', value: '/c.*' } };
      const [answer] = matchRequest(request, [
        listener('wide', { routes: [http('a', [expression]), http('b', [prefix('/cart')]), http('c', [prefix('/')])] }),
        listener('narrow', { hostname: 'shop.example.com', routes: [http('d', [exact('/other')])] }),
      ]);
      expect(answer?.undecided.map(({ route, lostBy }) => [route.metadata.name, lostBy])).toEqual([
        ['a', undefined],
        ['b', undefined],
      ]);
      expect(answer?.lost).toMatchObject([{ route: { metadata: { name: 'c' } } }]);
    });
  });

  describe('a request with adjacent slashes', () => {
    const slashed = { ...request, path: '//cart' };
    const routes = [http('a', [exact('/cart')])];
    const answers = {
      merged: { winner: { route: { metadata: { name: 'a' } } }, undecided: [], unmatched: [] },
      kept: { undecided: [], unmatched: [{ reason: 'path' }] },
      both: { undecided: [{ dependsOn: 'adjacent slashes', pointer: '/spec/rules/0/matches/0/path' }], unmatched: [] },
    } as const;

    it.each(Object.entries(answers))('is for the path as far as these are %s', (adjacentSlashes, expected) => {
      const dataPlane = { adjacentSlashes: adjacentSlashes as keyof typeof answers };
      const [answer] = matchRequest(slashed, [listener('l', { routes, dataPlane })]);
      expect(answer).toMatchObject(expected);
      expect(answer?.winner === undefined).toBe(adjacentSlashes !== 'merged');
    });

    it('is decided if both readings match', () => {
      const [answer] = matchRequest(slashed, [listener('l', { routes: [http('a', [prefix('/')])] })]);
      expect(answer).toMatchObject({ winner: { route: { metadata: { name: 'a' } } }, undecided: [] });
    });
  });

  describe('an HTTPS listener without tls', () => {
    const open = { dependsOn: 'missing tls' } as const;

    it('takes no requests of a route that it refuses for another reason', () => {
      const both = [http('a', [{}], { year: 2020 }), grpc('b', [{}], { year: 2021 })];
      const dataPlane = { sharedHostnames: 'refused' } as const;
      const [answer] = matchRequest({ ...request, method: 'POST', path: '/a/b' }, [
        listener('l', { routes: both, ...open, dataPlane }),
      ]);
      expect(answer?.lost).toMatchObject([
        { route: { metadata: { name: 'b' } }, lostBy: 'older route of another kind' },
      ]);
    });

    it('may take requests where that is not known', () => {
      const [answer] = matchRequest(request, [listener('l', { routes: [http('a', [{}])], ...open })]);
      expect(answer?.winner).toBeUndefined();
      expect(answer?.undecided).toMatchObject([{ dependsOn: 'missing tls', pointer: '/spec/parentRefs' }]);
    });

    it('may leave requests to the next listener of their host', () => {
      const dataPlane = { listenerIsolation: 'supported' } as const;
      const [answer] = matchRequest(request, [
        listener('specific', { hostname: request.host, routes: [http('a', [{}])], ...open, dataPlane }),
        listener('next', { hostname: '*.com', routes: [http('b', [{}])], dataPlane }),
        listener('last', { routes: [http('c', [{}])], dataPlane }),
      ]);
      expect(answer?.winner).toBeUndefined();
      expect(answer?.undecided).toMatchObject(['a', 'b'].map((name) => ({ route: { metadata: { name } }, ...open })));
      expect(answer?.lost).toMatchObject([{ route: { metadata: { name: 'c' } }, lostBy: 'another listener' }]);
    });
  });

  const ports = [
    listener('secure', { port: 443, hostname: '*.example.com', routes }),
    listener('plain', { port: 80, routes }),
    listener('foreign', { port: 8080, hostname: 'example.org', routes }),
  ];

  it('answers for each port, because the most specific listener is so for its port only', () => {
    expect(matchRequest(request, ports).map(({ port, winner }) => [port, winner?.listener.name])).toEqual([
      [80, 'plain'],
      [443, 'secure'],
      [8080, undefined],
    ]);
  });

  it('answers for the port or listener that the request names', () => {
    const answered = (asked: Partial<HttpRequest>) =>
      matchRequest({ ...request, ...asked }, ports).map(({ port }) => port);
    expect(answered({ port: 443 })).toEqual([443]);
    expect(answered({ listener: 'plain' })).toEqual([80]);
    expect(answered({ port: 443, listener: 'plain' })).toEqual([]);
    expect(answered({ port: 9 })).toEqual([]);
  });

  it('takes the listener that the request names, even if another is more specific', () => {
    const wide = listener('wide', { routes });
    const narrow = listener('narrow', { hostname: 'shop.example.com', routes });
    const [answer] = matchRequest({ ...request, listener: 'wide' }, [narrow, wide]);
    expect(answer?.winner?.listener).toBe(wide);
  });

  it('skips listeners that take nothing, and reports why their routes lose', () => {
    const wide = listener('wide', { routes });
    const narrow = listener('narrow', { hostname: 'shop.example.com', routes, lostBy: 'hostname conflict' });
    expect(matchRequest(request, [narrow, wide])).toMatchObject([
      { listener: { name: 'wide' }, lost: [{ listener: { name: 'narrow' }, lostBy: 'hostname conflict' }] },
    ]);
  });

  it('considers only listeners that the request can arrive at', () => {
    const [tcp, udp, either] = [{ transport: 'TCP' }, { transport: 'UDP' }, {}] as const;
    const all = [tcp, udp, either].map((how, port) => listener(`l${port}`, { port, ...how }));
    const answered = (asked: Partial<HttpRequest>) =>
      matchRequest({ ...request, ...asked }, all).map(({ port }) => port);
    expect(answered({})).toEqual([0, 2]);
    expect(answered({ transport: 'UDP' })).toEqual([1, 2]);
  });

  it('passes over routes that the request cannot come in by, at a listener for either transport', () => {
    const udp = route('UDPRoute', 'udp', { rules: [{}] });
    const winner = (asked: Partial<HttpRequest>) => ask([udp], asked).winner?.route;
    expect([winner({}), winner({ transport: 'UDP' })]).toEqual([undefined, udp]);
  });

  it('returns the same listener and route objects, with the hostname of the route that matched', () => {
    const own = { ...listener('l', { hostname: '*.com' }), target: 'mine' };
    const shop = http('r', [{}], { hostnames: ['*.com', '*.Example.com', 'example.com', 'a.example.com'] });
    const at = { ...own, routes: [shop] };
    const [answer] = matchRequest(request, [at]);
    expect(answer?.winner?.listener.target).toBe('mine');
    expect(answer?.winner).toEqual({
      listener: at,
      route: shop,
      hostname: '*.example.com',
      ruleIndex: 0,
      matchIndex: 0,
    });
  });
});

describe('matchRequest: conditions', () => {
  it.each([
    ['PathPrefix', '/', '/', true],
    ['PathPrefix', '/', '/anything', true],
    ['PathPrefix', '/', '*', true],
    ['PathPrefix', '/abc', '/abc', true],
    ['PathPrefix', '/abc', '/abc/', true],
    ['PathPrefix', '/abc', '/abc/def', true],
    ['PathPrefix', '/abc', '/abcdef', false],
    ['PathPrefix', '/abc', '/ABC', false],
    ['PathPrefix', '/abc/', '/abc', true],
    ['PathPrefix', '/abc/', '/abc/def', true],
    ['PathPrefix', '/abc/', '/abcdef', false],
    ['PathPrefix', '/abc/def', '/abc', false],
    [undefined, '/abc', '/abc/def', true],
    [null, null, '/abc/def', true],
    ['Exact', '/abc', '/abc', true],
    ['Exact', '/abc', '/abc/', false],
    ['Exact', '/abc', '/Abc', false],
    ['Exact', '/abc/', '/abc', false],
    ['RegularExpression', '/a.c', '/abc', true],
    ['RegularExpression', '/a.c', '/ac', false],
    ['Exact', '/abc', '/abc?def', true],
    ['Exact', '/', '', true],
  ])('a path by %s %s: %s is %s', (type, value, path, expected) => {
    expect(takes(http('r', [{ path: { type, value } }]), { path }, { regularExpression })).toBe(expected);
  });

  it.each([
    ['a route without rules', route('HTTPRoute', 'r', {})],
    ['a route without spec', route('HTTPRoute', 'r', undefined)],
    ['a rule without matches', route('HTTPRoute', 'r', { rules: [{}] })],
    ['a rule with no matches', http('r', [])],
    ['a rule whose matches are null', http('r', null)],
    ['a match that says nothing', http('r', [{}])],
    [
      'a match whose conditions are null or empty',
      http('r', [{ path: null, method: null, headers: [], queryParams: null }]),
    ],
  ])('%s takes every request', (_, every) => {
    expect(takes(every, { path: '/any', method: 'PURGE' })).toBe(true);
  });

  it.each([
    ['any, where it names none', undefined, true],
    ['any, where it has an empty list', [], true],
    ['its own', ['shop.example.com'], true],
    ['its own, in any case', ['SHOP.example.com'], true],
    ['all below a wildcard', ['*.com'], true],
    ['one of several', ['example.org', 'shop.example.com'], true],
    ['not the one above a wildcard', ['*.shop.example.com'], false],
    ['no other', ['example.com'], false],
    ['none, where it names no hostname', [5, null, '*shop.example.com'], false],
    ['none, where it has no list', {}, false],
  ])('a route takes hosts: %s', (_, hostnames, expected) => {
    expect(takes(http('r', [{}], { hostnames }))).toBe(expected);
  });

  it.each([
    ['GET', undefined, true],
    ['POST', 'POST', true],
    ['POST', undefined, false],
    ['GET', 'get', false],
  ])('the method %s of a match, for a request with %s, is %s', (method, asked, expected) => {
    expect(takes(http('r', [{ method }]), asked === undefined ? {} : { method: asked })).toBe(expected);
  });

  it.each([
    ['a name in any case', header('X-Env', 'test'), [['x-eNV', 'test']], true],
    ['a value in its own case only', header('x-env', 'test'), [['x-env', 'Test']], false],
    ['a header that is not there', header('x-env', 'test'), [], false],
    ['a header that is not there, by an expression', header('x-env', '.*', 'RegularExpression'), [], false],
    ['an expression', header('x-env', 't.*', 'RegularExpression'), [['x-env', 'test']], true],
    ['another than the expression', header('x-env', 't.*', 'RegularExpression'), [['x-env', 'prod']], false],
    [
      'a repeated header as one',
      header('x-env', 'a, b'),
      [
        ['x-env', 'a'],
        ['X-Env', 'b'],
      ],
      true,
    ],
    [
      'all headers',
      {
        headers: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
      },
      [['a', '1']],
      false,
    ],
    [
      'of two of a name the first',
      {
        headers: [
          { name: 'a', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
      [['a', '1']],
      true,
    ],
    ['a name that objects have', header('__proto__', '1'), [['__proto__', '1']], true],
    ['a name that objects have but the request has not', header('constructor', '1'), [], false],
  ] satisfies [string, object, [string, string][], boolean][])('headers: %s', (_, match, headers, expected) => {
    expect(takes(http('r', [match]), { headers }, { regularExpression })).toBe(expected);
    expect(takes(grpc('r', [match]), { path: '/a/b', headers }, { regularExpression })).toBe(expected);
  });

  it.each([
    ['a parameter', param('colour', 'red'), '/?size=5&colour=red', true],
    ['another value', param('colour', 'red'), '/?colour=blue', false],
    ['a name in its own case only', param('colour', 'red'), '/?Colour=red', false],
    ['of a repeated parameter the first', param('colour', 'red'), '/?colour=red&colour=blue', true],
    ['of a repeated parameter not the second', param('colour', 'red'), '/?colour=blue&colour=red', false],
    ['a decoded value', param('colour', 'light red'), '/?colour=light%20red#part', true],
    ['an expression', param('colour', 'r.d', 'RegularExpression'), '/?colour=red', true],
    [
      'of two of a name the first',
      { queryParams: [...param('a', '1').queryParams, ...param('a', '2').queryParams] },
      '/?a=1',
      true,
    ],
  ])('query parameters: %s', (_, match, path, expected) => {
    expect(takes(http('r', [match]), { path }, { regularExpression })).toBe(expected);
  });

  it('takes query parameters rather than those in the path', () => {
    const match = http('r', [param('a', '1')]);
    expect(takes(match, { path: '/?a=1', query: [] })).toBe(false);
    expect(takes(match, { path: '/?a=2', query: new Map([['a', '1']]) })).toBe(true);
  });

  it.each([
    ['service and method', { service: 'shop.Cart', method: 'Add' }, true],
    ['a service', { service: 'shop.Cart' }, true],
    ['a method', { method: 'Add' }, true],
    ['neither', {}, true],
    ['an empty service', { service: '', method: 'Add' }, true],
    ['another service', { service: 'shop.Order', method: 'Add' }, false],
    ['another method', { service: 'shop.Cart', method: 'Remove' }, false],
    ['a service in another case', { service: 'shop.cart' }, false],
    ['expressions', { type: 'RegularExpression', service: 'shop\\..*', method: 'A.d' }, true],
    ['another than the expressions', { type: 'RegularExpression', service: 'store\\..*', method: 'A.d' }, false],
  ])('gRPC: %s', (_, method, expected) => {
    expect(takes(grpc('r', [{ method }]), { path: '/shop.Cart/Add' }, { regularExpression })).toBe(expected);
  });

  it.each(['/', '/shop.Cart', '/shop.Cart/', '//Add', '/shop.Cart/Add/1'])(
    'a GRPCRoute does not take %s, which gRPC does not ask for',
    (path) => {
      expect(takes(grpc('r', []), { path })).toBe(false);
    },
  );

  it.each([
    [undefined, true],
    ['POST', true],
    ['GET', false],
    ['post', false],
  ])('a GRPCRoute takes requests with the method %s: %s', (method, expected) => {
    expect(takes(grpc('r', []), { path: '/shop.Cart/Add', ...(method && { method }) })).toBe(expected);
  });

  it('a GRPCRoute without rules takes no request, unlike an HTTPRoute', () => {
    expect(takes(route('GRPCRoute', 'r', {}), { path: '/a/b' })).toBe(false);
  });

  it.each([
    ['another kind', route('TLSRoute', 'r', {})],
    ['another group', { ...http('r', []), apiVersion: 'example.com/v1' }],
  ])('ignores a route of %s', (_, foreign) => {
    expect(ask([foreign])).toMatchObject({ lost: [], undecided: [], unmatched: [] });
    expect(takes(foreign)).toBe(false);
  });
});

describe('matchRequest: the reasons of mismatches', () => {
  it.each([
    ['path', '/spec/rules/0/matches/0/path', { ...exact('/other'), method: 'POST' }],
    ['method', '/spec/rules/0/matches/0/method', { method: 'POST', ...header('a', '1') }],
    [
      'headers',
      '/spec/rules/0/matches/0/headers/1',
      {
        headers: [
          { name: 'x', value: '1' },
          { name: 'a', value: '1' },
        ],
        ...param('p', '1'),
      },
    ],
    ['query', '/spec/rules/0/matches/0/queryParams/0', param('p', '1')],
  ])('reports that %s differ, with the pointer: %s', (reason, pointer, match) => {
    expect(ask([http('r', [match])], { headers: [['x', '1']] }).unmatched).toMatchObject([
      { reason, pointer, ruleIndex: 0, matchIndex: 0 },
    ]);
  });

  it.each([
    ['method', '/spec/rules/0/matches/0/method/service', [{ method: { service: 'other', method: 'b' } }]],
    ['method', '/spec/rules/0/matches/0/method/method', [{ method: { service: 'a', method: 'other' } }]],
  ])('reports that the %s of a GRPCRoute differs: %s', (reason, pointer, matches) => {
    expect(ask([grpc('r', matches)], { path: '/a/b' }).unmatched).toMatchObject([{ reason, pointer }]);
  });

  it('points to the rule where a GRPCRoute lacks a match that could be at fault', () => {
    expect(ask([grpc('r', [])]).unmatched).toMatchObject([{ reason: 'path', pointer: '/spec/rules/0' }]);
  });

  it("reports once for a route that its hostnames, or the listener's, differ", () => {
    const matches = [exact('/a'), exact('/b')];
    const foreign = http('foreign', matches, { hostnames: ['example.org'] });
    const [answer] = matchRequest(request, [
      listener('here', { routes: [foreign] }),
      listener('there', { hostname: 'example.org', routes: [foreign] }),
    ]);
    expect(answer?.unmatched).toEqual([
      { listener: answer?.listener, route: foreign, reason: 'host', pointer: '/spec/hostnames' },
      { listener: expect.objectContaining({ name: 'there' }), route: foreign, reason: 'listener', pointer: '' },
    ]);
  });

  it.each<[unknown, string]>([
    [{ rules: 5 }, '/spec/rules'],
    [{ rules: [5] }, '/spec/rules/0'],
    [{ rules: [null] }, '/spec/rules/0'],
    [{ rules: [{ matches: {} }] }, '/spec/rules/0/matches'],
    [{ rules: [{ matches: [[]] }] }, '/spec/rules/0/matches/0'],
    ...Object.entries({
      path: [
        5,
        { type: 'Glob' },
        { type: 'constructor' },
        { value: 5 },
        { value: 'cart' },
        { type: 'Exact', value: 'cart' },
      ],
      method: [5, {}],
      headers: [5, {}],
      queryParams: ['p=1'],
    }).flatMap(([field, values]) =>
      values.map((value): [unknown, string] => [
        { rules: [{ matches: [{ [field]: value }] }] },
        `/spec/rules/0/matches/0/${field}`,
      ]),
    ),
    ...[
      5,
      null,
      {},
      { name: 5, value: '1' },
      { name: 'a' },
      { name: 'a', value: 5 },
      { name: 'a', value: '1', type: 'Glob' },
    ].flatMap((item) =>
      ['headers', 'queryParams'].map((field): [unknown, string] => [
        { rules: [{ matches: [{ [field]: [item] }] }] },
        `/spec/rules/0/matches/0/${field}/0`,
      ]),
    ),
    [{ rules: [{ matches: [expression('(')] }] }, '/spec/rules/0/matches/0/path'],
    [{ rules: [{ matches: [header('a', '(', 'RegularExpression')] }] }, '/spec/rules/0/matches/0/headers/0'],
  ])('reports an invalid HTTPRoute: %j', (spec, pointer) => {
    const asked = { headers: [['a', '1']] as const, query: [['a', '1']] as const };
    const answer = ask([route('HTTPRoute', 'r', spec)], asked, { regularExpression });
    expect(answer.winner).toBeUndefined();
    expect(answer.unmatched).toMatchObject([{ reason: 'invalid', pointer }]);
  });

  it.each([5, 'Add', { service: 5 }, { service: 'a', type: 'Glob' }, { type: 'RegularExpression', method: '(' }])(
    'calls values invalid that are not a GRPCRoute: %j',
    (method) => {
      const answer = ask([grpc('r', [{ method }])], { path: '/a/b' }, { regularExpression });
      expect(answer.unmatched).toMatchObject([{ reason: 'invalid' }]);
    },
  );

  it('continues with the other rules of a route that is invalid in part', () => {
    const rules = [{ matches: [{ path: { type: 'Glob' } }] }, {}];
    expect(ask([route('HTTPRoute', 'r', { rules })]).winner).toMatchObject({ ruleIndex: 1 });
  });
});

describe('matchRequest: regular expressions without an engine', () => {
  const undecidedOf = (...routes: readonly KubernetesObject[]) =>
    ask(routes).undecided.map(({ route: { metadata }, pointer, lostBy }) => [metadata.name, pointer, lostBy]);
  const path = '/spec/rules/0/matches/0/path';

  it('are undecided, however wicked', () => {
    expect(undecidedOf(http('r', [expression('(/c?a?r?t?)*$')]))).toEqual([['r', path, undefined]]);
  });

  it('are undecided if they would precede the winner', () => {
    expect(undecidedOf(http('r', [expression('.*')]), http('s', [{}]))).toEqual([['r', path, undefined]]);
    expect(ask([http('r', [expression('.*')]), http('s', [{}])]).winner?.route.metadata.name).toBe('s');
  });

  it('have the rule that makes them lose in any case', () => {
    expect(undecidedOf(http('r', [expression('.*')]), http('s', [exact('/cart')]))).toEqual([
      ['r', path, 'exact path'],
    ]);
  });

  it('do not matter if another condition fails', () => {
    expect(undecidedOf(http('r', [{ ...expression('.*'), method: 'POST' }]))).toEqual([]);
  });

  it('do not make a header that is missing undecided', () => {
    expect(undecidedOf(http('r', [header('a', '.*', 'RegularExpression')]))).toEqual([]);
  });
});

describe('the precedence of regular expressions and prefixes', () => {
  const routes = [http('b', [expression('/cart/.*')]), http('a', [prefix('/')])];
  const request = { host: 'shop.example.com', path: '/cart/items' };
  const answerWith = (dataPlane: DataPlane, options: MatchOptions) => {
    const [answer] = matchRequest(request, [{ name: 'http', port: 80, routes, dataPlane }], {
      regularExpression,
      ...options,
    });
    const undecided = answer?.undecided.map(({ route, dependsOn }) => [route.metadata.name, dependsOn]);
    return [answer?.winner?.route.metadata.name, undecided];
  };

  it('is undecided if it is not known', () => {
    expect(answerWith({}, { regularExpressionPaths: 'both' })).toEqual(['b', [['a', 'regular expression']]]);
  });

  it('is as the data plane has it', () => {
    const options = { regularExpressionPaths: 'both' } as const;
    expect(answerWith({ regularExpressionPaths: 'before-prefixes' }, options)).toEqual(['b', []]);
    expect(answerWith({ regularExpressionPaths: 'after-prefixes' }, options)).toEqual(['a', []]);
  });
});
