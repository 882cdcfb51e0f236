import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import {
  cluster,
  gateway,
  gatewayClass,
  linksOf,
  pathsTo,
  policy,
  policyKind,
  route,
  sectionsOf,
  service,
} from './gateway-api.fixture.ts';
import { gatewayApi } from './gateway-api.ts';
import { GatewayClass } from './gateway-class.ts';
import { HTTPRoute } from './route.ts';

/* Wrong results that implementations are known to give, by what goes wrong; each with the right one. */

const http = { name: 'http', port: 80, protocol: 'HTTP' };
const https = { name: 'https', port: 443, protocol: 'HTTPS' };
const edge = gateway('edge', { gatewayClassName: 'c', listeners: [http, https] });
const toEdge = { parentRefs: [{ name: 'edge', sectionName: 'http' }] };
const toCart = { rules: [{ backendRefs: [{ name: 'cart', port: 80 }] }] };
const cart = service('cart', [{ name: 'web', port: 80 }]);
const policiesAt = (topology: ReturnType<typeof createTopology>, locator: string) =>
  topology.policiesAt(locator).map(({ resource }) => resource.metadata.name);

describe('a resource that a change does not name', () => {
  it('stays, with its policies: nothing is gone but what is removed', () => {
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [policyKind()] });
    topology.apply({ upsert: [edge, policy('p', { kind: 'Gateway', name: 'edge' })] });
    expect(topology.apply({ upsert: [cart] })).toMatchObject({ removed: [], changed: [] });
    expect(topology.apply({ upsert: [] })).toMatchObject({ removed: [], changed: [] });
    expect(policiesAt(topology, 'gateway.gateway.networking.k8s.io:default/edge')).toEqual(['p']);
  });
});

describe('two routes of different kinds and one name', () => {
  it('keep their rules, paths and policies apart', () => {
    const kinds = policyKind({ targets: [HTTPRoute.sections.rule] });
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [kinds] });
    const routes = ['HTTPRoute', 'GRPCRoute'].map((kind) => route(kind, 'cart', { ...toEdge, ...toCart }));
    const onRule = policy('p', { kind: 'HTTPRoute', name: 'cart', sectionName: 'rule-1' });
    topology.apply({ upsert: [edge, cart, ...routes, onRule] });
    expect(pathsTo(topology, 'Service default/cart#web')).toEqual([
      'Gateway default/edge#http > GRPCRoute default/cart#rule-1 > Service default/cart#web',
      'Gateway default/edge#http > HTTPRoute default/cart#rule-1 > Service default/cart#web',
    ]);
    expect(policiesAt(topology, 'httproute.gateway.networking.k8s.io:default/cart#rule-1')).toEqual(['p']);
    expect(policiesAt(topology, 'grpcroute.gateway.networking.k8s.io:default/cart#rule-1')).toEqual([]);
  });
});

describe('an unnamed rule whose place is the name of another one', () => {
  it('is kept beside it, and reported', () => {
    const topology = cluster(route('HTTPRoute', 'r', { rules: [{ name: 'rule-2' }, { backendRefs: [] }] }));
    expect(sectionsOf(topology)).toEqual(['HTTPRoute default/r#rule-2', 'HTTPRoute default/r#rule-2-2']);
    expect(topology.issues.map(({ code }) => code)).toEqual(['section-name-collision']);
  });
});

describe('one resource that comes twice in a change', () => {
  it('is refused instead of one of the two being lost', () => {
    const twice = { ...cart, apiVersion: 'v1beta1' };
    expect(() => cluster(cart, twice)).toThrow(expect.objectContaining({ code: 'invalid-resources' }));
  });
});

describe('a policy that targets a cluster-scoped resource', () => {
  it('attaches, if it is cluster-scoped itself or may go there', () => {
    for (const change of [{ scope: 'Cluster' }, { crossNamespace: 'allow' }] as const) {
      const kinds = policyKind({ targets: [GatewayClass], ...change });
      const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [kinds] });
      topology.apply({ upsert: [gatewayClass('c'), policy('p', { kind: 'GatewayClass', name: 'c' })] });
      expect(policiesAt(topology, 'gatewayclass.gateway.networking.k8s.io:c')).toEqual(['p']);
    }
  });
});

describe('the rules of routes', () => {
  it.each(['HTTPRoute', 'GRPCRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute'])('lead to Services: %s', (kind) => {
    const whole = route(kind, 'whole', { rules: [{ backendRefs: [{ name: 'cart' }] }] });
    const port = route(kind, 'port', toCart);
    expect(linksOf(cluster(cart, whole, port))).toEqual([
      `${kind} default/port#rule-1 > Service default/cart#web`,
      `${kind} default/whole#rule-1 > Service default/cart`,
    ]);
  });
});

describe('a route that refers to one Gateway several times', () => {
  it('has one path through each listener, and none twice', () => {
    const parentRefs = [
      { name: 'edge', sectionName: 'http' },
      { name: 'edge', sectionName: 'https' },
      { name: 'edge', port: 80 },
      { name: 'edge' },
    ];
    const topology = cluster(gatewayClass('c'), edge, route('HTTPRoute', 'r', { parentRefs }));
    expect(pathsTo(topology, 'HTTPRoute default/r')).toEqual([
      'GatewayClass c > Gateway default/edge#http > HTTPRoute default/r',
      'GatewayClass c > Gateway default/edge#https > HTTPRoute default/r',
    ]);
  });
});

describe('a listener that does not take a route', () => {
  it.each([
    ['its hostname is another', { hostname: 'b.example.com' }, {}],
    ['its namespaces are others', { allowedRoutes: { namespaces: { from: 'None' } } }, {}],
    ['its kinds are others', { allowedRoutes: { kinds: [{ kind: 'GRPCRoute' }] } }, {}],
    ['its protocol serves other kinds', { protocol: 'TCP' }, {}],
    ['its port is another than the route asks for', {}, { port: 81 }],
    ['its name is another than the route asks for', {}, { sectionName: 'https' }],
  ])('is not above it, so that no later filter is needed: %s', (_, listener, part) => {
    const one = gateway('edge', { listeners: [{ ...http, ...listener }] });
    const spec = { parentRefs: [{ name: 'edge', ...part }], hostnames: ['a.example.com'], ...toCart };
    const topology = cluster(one, cart, route('HTTPRoute', 'r', spec));
    expect(pathsTo(topology, 'Service default/cart#web')).toEqual([
      'HTTPRoute default/r#rule-1 > Service default/cart#web',
    ]);
    expect(topology.refused.length + topology.unresolved.length).toBe(1);
  });
});

describe('a listener whose hostname is narrower than that of a route', () => {
  it('is above the route all the same: they have the narrower hostname in common', () => {
    const narrow = gateway('edge', { listeners: [{ ...http, hostname: 'foo.example.com' }] });
    const wide = route('HTTPRoute', 'r', { ...toEdge, hostnames: ['*.example.com'] });
    expect(linksOf(cluster(narrow, wide))).toEqual(['Gateway default/edge#http > HTTPRoute default/r']);
  });
});

describe('a path', () => {
  it('is as long as the resources have it', () => {
    const hung = route('HTTPRoute', 'r', { ...toEdge, ...toCart });
    const to = 'Service default/cart#web';
    expect(pathsTo(cluster(hung, cart), to)).toEqual(['HTTPRoute default/r#rule-1 > Service default/cart#web']);
    expect(pathsTo(cluster(gatewayClass('c'), edge, hung, cart), to)).toEqual([
      'GatewayClass c > Gateway default/edge#http > HTTPRoute default/r#rule-1 > Service default/cart#web',
    ]);
  });
});

describe('a loop', () => {
  it('leaves a topology as it was', () => {
    const group = 'example.com';
    const Ring = defineTargetKind({
      group,
      kind: 'Ring',
      references: () => [{ direction: 'up', to: { group, kind: 'Ring', name: 'a' }, pointer: '/spec' }],
    });
    const topology = createTopology({ targetKinds: [...gatewayApi(), Ring] });
    topology.apply({ upsert: [gatewayClass('c'), edge] });
    const before = linksOf(topology);
    const ring = { apiVersion: 'example.com/v1', kind: 'Ring', metadata: { name: 'a', namespace: 'default' } };
    expect(() => topology.apply({ upsert: [ring], remove: [edge] })).toThrow(expect.objectContaining({ code: 'loop' }));
    expect(linksOf(topology)).toEqual(before);
    expect(before).toHaveLength(1);
  });
});

describe('a resource without apiVersion or kind', () => {
  it.each(['apiVersion', 'kind'])('is refused instead of lying where no link finds it: %s', (field) => {
    expect(() => cluster({ ...edge, [field]: '' })).toThrow(expect.objectContaining({ code: 'invalid-resources' }));
  });
});
