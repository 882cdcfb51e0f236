import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { clusterWith, gateway, linksOf, pathsTo, route, service } from '../gateway-api.fixture.ts';

const edge = gateway('edge', { listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] }, 'infra');
const child = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' };
const labelled = { group: 'delegation.kgateway.dev', kind: 'label' };

/** A route in `infra` below the Gateway, with a rule for each list of backends. */
const parent = (name: string, ...rules: readonly (readonly object[])[]) =>
  route(
    'HTTPRoute',
    name,
    { parentRefs: [{ name: 'edge' }], rules: rules.map((backendRefs) => ({ backendRefs })) },
    'infra',
  );

/** Returns a route of team `a`, by default without parents. */
const team = (name: string, spec: object = {}, label?: string, namespace = 'a'): KubernetesObject => {
  const made = route('HTTPRoute', name, { rules: [{}], ...spec }, namespace);
  if (label === undefined) return made;
  return { ...made, metadata: { ...made.metadata, labels: { 'delegation.kgateway.dev/label': label } } };
};

const delegating = (...resources: readonly KubernetesObject[]) => clusterWith({ delegation: true }, edge, ...resources);

/** The children of the parent's rules. */
const childrenOf = (...resources: readonly KubernetesObject[]) =>
  linksOf(delegating(...resources)).flatMap((link) => {
    const [from = '', to = ''] = link.split(' > HTTPRoute ');
    return from.startsWith('HTTPRoute infra/p') ? [to] : [];
  });

describe('gatewayApi({ delegation: true })', () => {
  it('leads from the Gateway through parent and child to the backend (H-10)', () => {
    const toBackend = { rules: [{ backendRefs: [{ name: 'cart', port: 80 }] }] };
    const topology = delegating(
      parent('p', [{ ...child, name: 'shop', namespace: 'a' }]),
      team('shop', { rules: [{ name: 'cart', backendRefs: [{ ...child, name: 'cart', namespace: 'b' }] }] }),
      team('cart', toBackend, undefined, 'b'),
      service('cart', [{ name: 'web', port: 80 }], 'b'),
    );
    expect(topology.issues).toEqual([]);
    expect(pathsTo(topology, 'Service b/cart#web')).toEqual([
      'Gateway infra/edge#http > HTTPRoute infra/p#rule-1 > HTTPRoute a/shop#cart > HTTPRoute b/cart#rule-1 > Service b/cart#web',
    ]);
  });

  it('is off by default', () => {
    const resources = [parent('p', [{ ...child, name: 'c', namespace: 'a' }]), team('c')];
    expect(linksOf(clusterWith({}, edge, ...resources))).toEqual(['Gateway infra/edge#http > HTTPRoute infra/p']);
  });

  it('is for HTTPRoutes only', () => {
    const rules = [{ backendRefs: [{ ...child, name: 'c', namespace: 'a' }] }];
    const grpc = route('GRPCRoute', 'p', { parentRefs: [{ name: 'edge' }], rules }, 'infra');
    expect(linksOf(delegating(grpc, team('c')))).toEqual(['Gateway infra/edge#http > GRPCRoute infra/p']);
  });

  it('keeps the rules apart: each has its own children', () => {
    const rules = [[{ ...child, name: 'c', namespace: 'a' }], [{ ...child, name: 'd', namespace: 'a' }]];
    expect(linksOf(delegating(parent('p', ...rules), team('c'), team('d')))).toEqual([
      'Gateway infra/edge#http > HTTPRoute infra/p',
      'HTTPRoute infra/p#rule-1 > HTTPRoute a/c',
      'HTTPRoute infra/p#rule-2 > HTTPRoute a/d',
    ]);
  });

  it.each([
    ['a name', { ...child, name: 'c', namespace: 'a' }, ['a/c']],
    ['a name in its own namespace', { ...child, name: 'own' }, ['infra/own']],
    ['a wildcard', { ...child, name: '*', namespace: 'a' }, ['a/c', 'a/d']],
    ['an empty name, which is one too', { ...child, name: '', namespace: 'a' }, ['a/c', 'a/d']],
    ['a wildcard in its own namespace, but not to itself', { ...child, name: '*' }, ['infra/own']],
    ['a label', { ...labelled, name: 'red', namespace: 'a' }, ['a/c']],
    ['a label in its own namespace', { ...labelled, name: 'red' }, ['infra/own']],
    ['a label in all namespaces', { ...labelled, name: 'red', namespace: 'all' }, ['a/c', 'b/c', 'infra/own']],
    ['a label that no route has', { ...labelled, name: 'blue', namespace: 'a' }, []],
    ['a kind in another case', { ...child, kind: 'httproute', name: 'c', namespace: 'a' }, []],
    ['nothing', { ...child, name: 5, namespace: 'a' }, []],
  ])('follows %s', (_, backendRef, expected) => {
    const own = team('own', {}, 'red', 'infra');
    const others = [team('c', {}, 'red'), team('d', {}, 'green'), team('c', {}, 'red', 'b')];
    expect(childrenOf(parent('p', [backendRef]), own, ...others)).toEqual(expected);
  });

  const toC = parent('p', [{ ...child, name: 'c', namespace: 'a' }]);
  const named = { ...child, name: 'p', namespace: 'infra' };

  it.each([
    ['names no parents', {}, undefined],
    ['has empty lists', { parentRefs: [], hostnames: [] }, undefined],
    ['has unset lists', { parentRefs: null, hostnames: null }, undefined],
    ['names this parent', { parentRefs: [named] }, undefined],
    ['names this parent among others', { parentRefs: [{ name: 'edge', namespace: 'infra' }, named] }, undefined],
    ['names another parent', { parentRefs: [{ ...named, name: 'q' }] }, 'NotAllowedByParentRefs'],
    ['names one of its own namespace', { parentRefs: [{ ...child, name: 'p' }] }, 'NotAllowedByParentRefs'],
    ['names a Gateway', { parentRefs: [{ name: 'p', namespace: 'infra' }] }, 'NotAllowedByParentRefs'],
    ['has hostnames', { hostnames: ['a.example.com'] }, 'HostnamesNotInherited'],
    ['has hostnames and names this parent', { hostnames: ['a.com'], parentRefs: [named] }, 'HostnamesNotInherited'],
  ])('needs the consent of the child, which %s (H-10)', (_, spec, reason) => {
    const topology = delegating(toC, team('c', spec));
    expect(topology.children('httproute.gateway.networking.k8s.io:infra/p#rule-1')).toHaveLength(reason ? 0 : 1);
  });

  it.each([
    ['names another parent', { parentRefs: [{ ...child, name: 'q' }] }, 'NotAllowedByParentRefs'],
    ['has hostnames', { hostnames: ['a.example.com'] }, 'HostnamesNotInherited'],
  ])('reports why a child of the same namespace refuses, which %s', (_, spec, reason) => {
    const topology = delegating(parent('p', [{ ...child, name: 'c' }]), team('c', spec, undefined, 'infra'));
    expect(topology.refused.map((it) => it.reason)).toContain(reason);
  });

  it.each([
    ['by name', { ...child, name: 'c', namespace: 'a' }],
    ['by namespace', { ...child, name: '*', namespace: 'a' }],
  ])('does not reveal whether a child exists in another namespace that refuses: %s (T-25)', (_, backendRef) => {
    const told = (...children: readonly KubernetesObject[]) => {
      const { issues, refused, unresolved } = delegating(parent('p', [backendRef]), ...children);
      const to = (it: { readonly from: { readonly locator: string } }) => it.from.locator.includes('infra/p#');
      return [
        issues.filter(({ resource }) => resource?.includes('infra/')),
        refused.filter(to),
        unresolved.filter(to).map(({ missing }) => missing),
      ];
    };
    const refusing = team('c', { parentRefs: [{ ...named, name: 'q' }], hostnames: ['a.example.com'] });
    expect(told(refusing)).toEqual(told());
  });

  const at = (value: string, more: object = {}) => ({ path: { type: 'PathPrefix', value }, ...more });
  const withHeader = { headers: [{ name: 'x', value: '1' }] };
  const matching = (ofParent: readonly object[], spec: object, annotations: Readonly<Record<string, string>> = {}) => {
    const rules = [{ matches: ofParent, backendRefs: [{ ...child, name: 'c' }] }];
    const own = team('c', spec, undefined, 'infra');
    return delegating(route('HTTPRoute', 'p', { parentRefs: [{ name: 'edge' }], rules }, 'infra'), {
      ...own,
      metadata: { ...own.metadata, annotations },
    });
  };
  const isLinked = (topology: ReturnType<typeof matching>) =>
    topology.children('httproute.gateway.networking.k8s.io:infra/p#rule-1').length > 0;

  it.each<[string, readonly object[], readonly object[], boolean]>([
    ['the same prefix', [at('/a')], [at('/a')], true],
    ['a longer prefix', [at('/a')], [at('/a/b')], true],
    ['a prefix that ends in a slash', [at('/a/')], [at('/a')], true],
    ['an exact path below it', [at('/a')], [{ path: { type: 'Exact', value: '/a/b' } }], true],
    ['an expression that begins with it', [at('/a')], [{ path: { type: 'RegularExpression', value: '/a.*' } }], true],
    ['any prefix where the rule has none', [], [at('/b')], true],
    ['another prefix', [at('/a')], [at('/b')], false],
    ['a shorter prefix', [at('/a/b')], [at('/a')], false],
    ['a segment that only begins alike', [at('/a')], [at('/abc')], false],
    ['no match at all', [at('/a')], [], false],
    ['one match of several', [at('/a')], [at('/b'), at('/a/c')], true],
    ['a match for one of several', [at('/a'), at('/b')], [at('/b/c')], true],
    ['the headers that the rule asks for', [at('/a', withHeader)], [at('/a', withHeader)], true],
    ['other headers', [at('/a', withHeader)], [at('/a')], false],
    ['a prefix, below an exact path', [{ path: { type: 'Exact', value: '/a' } }], [at('/a')], false],
  ])(
    'leaves out a child that no request can reach by way of the rule: it asks for %s (H-10)',
    (_, ofParent, ofChild, expected) => {
      const topology = matching(ofParent, { rules: [{ matches: ofChild }] });
      expect(isLinked(topology)).toBe(expected);
      expect(topology.refused.map(({ reason }) => reason)).toEqual(expected ? [] : ['NoDelegatedMatch']);
    },
  );

  it('links a child as a whole where one of its rules can be reached', () => {
    const spec = { rules: [{ matches: [at('/b')] }, { matches: [at('/a')] }] };
    expect(isLinked(matching([at('/a')], spec))).toBe(true);
  });

  it('links a child that inherits the matches of the rule, for any own matches', () => {
    const inheriting = { 'delegation.kgateway.dev/inherit-parent-matcher': 'true' };
    expect(isLinked(matching([at('/a')], { rules: [{ matches: [at('/b')] }] }, inheriting))).toBe(true);
  });

  it('leaves out a child without rules below a rule with a prefix, as it takes all requests', () => {
    expect(isLinked(matching([at('/a')], { rules: null }))).toBe(false);
    expect(isLinked(matching([], { rules: null }))).toBe(true);
  });

  it.each([
    ['a wildcard', { ...child, name: '*' }],
    ['a label', { ...labelled, name: 'red' }],
  ])('selects matching children by %s, and lists no others as refused', (_, backendRef) => {
    const others = [
      team('ingress', { parentRefs: [{ name: 'edge' }] }, 'red', 'infra'),
      team('host', { hostnames: ['a.example.com'] }, 'red', 'infra'),
      team('elsewhere', { rules: [{ matches: [at('/b')] }] }, 'red', 'infra'),
    ];
    const rules = [{ matches: [at('/a')], backendRefs: [backendRef] }];
    const p = route('HTTPRoute', 'p', { parentRefs: [{ name: 'edge' }], rules }, 'infra');
    const topology = delegating(p, ...others, team('c', { rules: [{ matches: [at('/a')] }] }, 'red', 'infra'));
    const children = topology.children('httproute.gateway.networking.k8s.io:infra/p#rule-1');
    expect(children.map(({ ref }) => ref.name)).toEqual(['c']);
    expect([topology.refused, topology.issues]).toEqual([[], []]);
  });

  it('drops and reports a reference that closes a cycle, and keeps the others (H-10)', () => {
    const topology = delegating(
      toC,
      team('c', { rules: [{ backendRefs: [{ ...child, name: 'd' }] }, { backendRefs: [{ ...child, name: 'e' }] }] }),
      team('d', { rules: [{ backendRefs: [{ ...child, name: 'c' }] }] }),
      team('e'),
    );
    expect(linksOf(topology)).toEqual([
      'Gateway infra/edge#http > HTTPRoute infra/p',
      'HTTPRoute a/c#rule-1 > HTTPRoute a/d',
      'HTTPRoute a/c#rule-2 > HTTPRoute a/e',
      'HTTPRoute infra/p#rule-1 > HTTPRoute a/c',
    ]);
    expect(topology.issues).toMatchObject([
      {
        code: 'cycle',
        severity: 'warning',
        resource: 'httproute.gateway.networking.k8s.io:a/d',
        pointer: '/spec/rules/0/backendRefs/0',
      },
    ]);
  });

  it('drops only the part of a wildcard that selects the route itself', () => {
    const topology = delegating(toC, team('c', { rules: [{ backendRefs: [{ ...child, name: '*' }] }] }), team('d'));
    expect(topology.descendants('httproute.gateway.networking.k8s.io:a/c').map(({ locator }) => locator)).toEqual(
      expect.arrayContaining(['httproute.gateway.networking.k8s.io:a/d']),
    );
    expect(topology.refused.map(({ reason }) => reason)).toEqual(['Cycle']);
  });
});
