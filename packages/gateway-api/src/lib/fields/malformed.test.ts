import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clusterWith,
  gateway,
  gatewayClass,
  linksOf,
  listenerSet,
  namespace,
  route,
  sectionsOf,
  service,
} from '../gateway-api.fixture.ts';

type Path = readonly (string | number)[];

const listener = { name: 'http', port: 80, protocol: 'HTTP', hostname: '*.example.com' };
const allowed = { kinds: [{ kind: 'HTTPRoute' }], namespaces: { from: 'Selector', selector: { matchLabels: {} } } };
const mirror = { type: 'RequestMirror', requestMirror: { backendRef: { name: 'shadow', port: 80 } } };
const extension = { type: 'ExtensionRef', extensionRef: { group: 'example.com', kind: 'Bucket', name: 'b' } };
const toCart = { group: '', kind: 'Service', namespace: 'default', name: 'cart', port: 80 };
const http = {
  path: { type: 'PathPrefix', value: '/cart' },
  method: 'GET',
  headers: [{ type: 'Exact', name: 'x', value: '1' }],
  queryParams: [{ name: 'q', value: '1' }],
};

/** Resources of all kinds with all fields that are read, by short names. */
const world = {
  namespace: namespace('default'),
  class: gatewayClass('public'),
  gateway: gateway('edge', {
    gatewayClassName: 'public',
    listeners: [
      { ...listener, tls: { mode: 'Terminate' }, allowedRoutes: allowed },
      { ...listener, name: 'alt', port: 81 },
      { name: 'tcp', port: 82, protocol: 'TCP' },
    ],
    allowedListeners: { namespaces: { from: 'Same', selector: { matchLabels: {} } } },
  }),
  set: listenerSet('more', {
    parentRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'default', name: 'edge' },
    listeners: [listener],
  }),
  http: route('HTTPRoute', 'cart', {
    parentRefs: [
      {
        group: 'gateway.networking.k8s.io',
        kind: 'Gateway',
        namespace: 'default',
        name: 'edge',
        sectionName: 'http',
        port: 80,
      },
    ],
    hostnames: ['a.example.com', 'b.example.com'],
    rules: [
      { name: 'all', matches: [http], filters: [mirror, extension], backendRefs: [{ ...toCart, filters: [mirror] }] },
    ],
  }),
  grpc: route('GRPCRoute', 'calls', {
    parentRefs: [{ name: 'edge', sectionName: 'alt' }],
    rules: [{ matches: [{ method: { service: 's', method: 'm' }, headers: [] }], backendRefs: [toCart] }],
  }),
  tcp: route('TCPRoute', 'raw', {
    parentRefs: [{ name: 'edge', sectionName: 'tcp' }],
    rules: [{ backendRefs: [toCart] }],
  }),
  service: service('cart', [{ name: 'web', port: 80 }]),
  shadow: service('shadow', [{ port: 80 }]),
};
type Name = keyof typeof world;

const clusterScoped = new Set<Name>(['class', 'namespace']);

/** A copy with another value in one place. */
function changed(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[key] = changed(copy[key], rest, to);
  return copy;
}

const keysOf = (pointer: string): Path =>
  pointer
    .slice(1)
    .split('/')
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key));

const all = (resources: Readonly<Record<string, KubernetesObject>>) => clusterWith({}, ...Object.values(resources));

/** Returns the pointers of the issues about a resource with another value in one of its fields. */
function reported(name: Name, pointer: string, to: unknown): readonly (string | undefined)[] {
  const mutated = changed(world[name], keysOf(pointer), to) as KubernetesObject;
  const topology = all({ ...world, [name]: mutated });
  return topology
    .issuesAbout(locatorOf(mutated, clusterScoped.has(name) ? 'Cluster' : undefined))
    .map((issue) => issue.pointer);
}

describe('gatewayApi, if a resource does not conform to its schema', () => {
  it('reports nothing about well-formed resources', () => {
    expect(all(world).issues).toEqual([]);
  });

  it.each<[Name, string, unknown, string?]>([
    ['class', '/spec', 'x'],
    ['gateway', '/spec', []],
    ['gateway', '/spec', null],
    ['gateway', '/spec/gatewayClassName', 5],
    ['gateway', '/spec/listeners', {}],
    ['gateway', '/spec/listeners', 'http'],
    ['gateway', '/spec/listeners/1', 'http'],
    ['gateway', '/spec/listeners/1', null],
    ['gateway', '/spec/listeners/1/name', 5],
    ['gateway', '/spec/listeners/1/port', '81'],
    ['gateway', '/spec/listeners/1/protocol', {}],
    ['gateway', '/spec/listeners/1/hostname', ['a']],
    ['gateway', '/spec/listeners/1/hostname', '-'],
    ['gateway', '/spec/listeners/0/tls', 'Terminate'],
    ['gateway', '/spec/listeners/0/allowedRoutes', 'All'],
    ['gateway', '/spec/listeners/0/allowedRoutes/kinds', 'HTTPRoute'],
    ['gateway', '/spec/listeners/0/allowedRoutes/kinds/0', 'HTTPRoute'],
    ['gateway', '/spec/listeners/0/allowedRoutes/kinds/0/kind', undefined],
    ['gateway', '/spec/listeners/0/allowedRoutes/namespaces', 'All'],
    ['gateway', '/spec/listeners/0/allowedRoutes/namespaces/from', 'all'],
    ['gateway', '/spec/listeners/0/allowedRoutes/namespaces/selector', 'x'],
    [
      'gateway',
      '/spec/listeners/0/allowedRoutes/namespaces/selector/matchLabels',
      [],
      '/spec/listeners/0/allowedRoutes/namespaces/selector',
    ],
    ['gateway', '/spec/allowedListeners', 'All'],
    ['gateway', '/spec/allowedListeners/namespaces/from', 5],
    ['set', '/spec', 'x'],
    ['set', '/spec/parentRef', 'edge'],
    ['set', '/spec/parentRef', undefined],
    ['set', '/spec/parentRef/name', undefined],
    ['set', '/spec/parentRef/name', 5],
    ['set', '/spec/parentRef/kind', 'Service'],
    ['set', '/spec/listeners', {}],
    ['set', '/spec/listeners/0', 'http'],
    ['http', '/spec', 'x'],
    ['http', '/spec/parentRefs', { name: 'edge' }],
    ['http', '/spec/parentRefs', 'edge'],
    ['http', '/spec/parentRefs/0', 'edge'],
    ['http', '/spec/parentRefs/0/name', undefined],
    ['http', '/spec/parentRefs/0/name', {}],
    ['http', '/spec/parentRefs/0/group', 5],
    ['http', '/spec/parentRefs/0/kind', 5],
    ['http', '/spec/parentRefs/0/namespace', 5],
    ['http', '/spec/parentRefs/0/sectionName', 5],
    ['http', '/spec/parentRefs/0/port', '80'],
    ['http', '/spec/hostnames', {}],
    ['http', '/spec/hostnames/1', 5],
    ['http', '/spec/hostnames/1', '-'],
    ['http', '/spec/hostnames/1', null],
    ['http', '/spec/rules', {}],
    ['http', '/spec/rules', 'all'],
    ['http', '/spec/rules/0', []],
    ['http', '/spec/rules/0', null],
    ['http', '/spec/rules/0/name', 5],
    ['http', '/spec/rules/0/matches', {}],
    ['http', '/spec/rules/0/matches/0', '/cart'],
    ['http', '/spec/rules/0/matches/0/path', '/cart'],
    ['http', '/spec/rules/0/matches/0/path/value', 5],
    ['http', '/spec/rules/0/matches/0/headers', {}],
    ['http', '/spec/rules/0/filters', {}],
    ['http', '/spec/rules/0/filters/0', 'x'],
    ['http', '/spec/rules/0/filters/0/requestMirror', undefined],
    ['http', '/spec/rules/0/filters/0/requestMirror', 'shadow'],
    ['http', '/spec/rules/0/filters/0/requestMirror/backendRef', 'shadow'],
    ['http', '/spec/rules/0/filters/0/requestMirror/backendRef/name', undefined],
    ['http', '/spec/rules/0/filters/1/extensionRef/name', 5],
    ['http', '/spec/rules/0/backendRefs', {}],
    ['http', '/spec/rules/0/backendRefs', 'cart'],
    ['http', '/spec/rules/0/backendRefs/0', 'cart'],
    ['http', '/spec/rules/0/backendRefs/0/name', undefined],
    ['http', '/spec/rules/0/backendRefs/0/name', null],
    ['http', '/spec/rules/0/backendRefs/0/kind', {}],
    ['http', '/spec/rules/0/backendRefs/0/port', '80'],
    ['http', '/spec/rules/0/backendRefs/0/filters/0/requestMirror/backendRef', 5],
    ['grpc', '/spec/rules/0/matches/0/method', 'm'],
    ['grpc', '/spec/parentRefs/0', 5],
    ['tcp', '/spec/rules/0/backendRefs/0', 'cart'],
    ['service', '/spec', 'x'],
    ['service', '/spec/ports', { port: 80 }],
    ['service', '/spec/ports', 80],
    ['service', '/spec/ports/0', 80],
    ['service', '/spec/ports/0/name', 5],
    ['service', '/spec/ports/0/port', '80'],
  ])('reports %s%s, where it is %j', (name, pointer, to, expected = pointer) => {
    expect(reported(name, pointer, to)).toContain(expected);
  });

  it('reports the fault and the remedy', () => {
    const spec = { parentRefs: [{ name: 'edge' }, 'edge', {}], rules: { name: 'all' } };
    const topology = clusterWith({}, gateway('edge', { listeners: [listener] }), route('TCPRoute', 'r', spec));
    expect(topology.issues.filter(({ code }) => code === 'unreadable-field')).toMatchInlineSnapshot(`
      [
        {
          "code": "unreadable-field",
          "message": "spec.parentRefs[1] is "edge" and cannot be read; make it an object with the name of a parent",
          "pointer": "/spec/parentRefs/1",
          "resource": "tcproute.gateway.networking.k8s.io:default/r",
          "severity": "error",
        },
        {
          "code": "unreadable-field",
          "message": "spec.parentRefs[2].name is missing, so nothing is read there; set it",
          "pointer": "/spec/parentRefs/2/name",
          "resource": "tcproute.gateway.networking.k8s.io:default/r",
          "severity": "error",
        },
        {
          "code": "unreadable-field",
          "message": "spec.rules is an object and cannot be read; make it a list of rules",
          "pointer": "/spec/rules",
          "resource": "tcproute.gateway.networking.k8s.io:default/r",
          "severity": "error",
        },
      ]
    `);
  });

  it('leaves out a reference if its group, kind or namespace is not a string, because its target is unknown', () => {
    const to = (change: object) => route('HTTPRoute', 'r', { parentRefs: [{ name: 'edge', ...change }] });
    const linked = (change: object) => linksOf(clusterWith({}, gateway('edge', { listeners: [listener] }), to(change)));
    expect(linked({ group: null, kind: null, namespace: null })).toHaveLength(1);
    for (const field of ['group', 'kind', 'namespace']) expect(linked({ [field]: 5 })).toEqual([]);
  });

  it('forgets faults that were corrected or removed', () => {
    const topology = all({ ...world, http: changed(world.http, keysOf('/spec/rules'), 'x') as KubernetesObject });
    expect(topology.issues).toHaveLength(1);
    topology.apply({ upsert: [world.http] });
    expect(topology.issues).toEqual([]);
    topology.apply({ upsert: [changed(world.service, keysOf('/spec'), 'x') as KubernetesObject] });
    expect(topology.issues.map(({ resource }) => resource)).toContain('service:default/cart');
    topology.apply({ remove: ['service:default/cart'] });
    expect(topology.issues).toEqual([]);
  });

  const places = Object.entries(world).flatMap(([name, resource]) =>
    pathsIn(resource.spec, ['spec']).map((path) => ({ name: name as Name, path })),
  );
  const wrong = fc.constantFrom<unknown>('', 'x y', 5, true, [], [[]], {}, { name: {} }, ['x'], [null]);

  it('reports every change of a field that changes links or sections, wherever it is', () => {
    const seen = (topology: ReturnType<typeof all>) => [linksOf(topology), sectionsOf(topology)];
    const before = seen(all(world));
    fc.assert(
      fc.property(fc.constantFrom(...places), wrong, ({ name, path }, to) => {
        fc.pre(
          typeof to !== typeof at(world[name], path) || Array.isArray(to) !== Array.isArray(at(world[name], path)),
        );
        const mutated = changed(world[name], path, to) as KubernetesObject;
        const topology = all({ ...world, [name]: mutated });
        const issues = topology.issuesAbout(locatorOf(mutated, clusterScoped.has(name) ? 'Cluster' : undefined));
        if (issues.length === 0) expect(seen(topology)).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });
});

function at(value: unknown, path: Path): unknown {
  return path.reduce((it, key) => (it as Record<string | number, unknown>)[key], value);
}

function pathsIn(value: unknown, path: Path): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, it]) => pathsIn(it, [...path, key]))];
}
