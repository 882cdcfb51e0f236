import { conditionsFor, gep713Vocabulary, setConditionsInStatus } from '@policy-machinery/conditions';
import { byAge, byName, conflictOrder } from '@policy-machinery/conflict';
import { fieldWise } from '@policy-machinery/merge';
import { defaultsAndOverrides, kuadrant } from '@policy-machinery/policy-kind';
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
import { GatewayClass } from './kinds/gateway-class.ts';
import { HTTPRoute } from './kinds/route.ts';
import { paint, painted, paintPolicy, specsTo } from './policies.fixture.ts';

/*
 * The 16 wrong results that an implementation is known to give, each with a test of the right one below.
 *
 * | | the fault |
 * |---|---|
 * | W1 | a list that fails for a moment counts as empty: all resources of a kind are gone, and their policies with them |
 * | W2 | ids of paths have no kind: of an HTTPRoute and a GRPCRoute with one name, one loses its effective policy |
 * | W3 | an unnamed rule and one that bears its name by place share a locator; of two such, one is silently lost |
 * | W4 | a reference always has the namespace of its policy: one to a cluster-scoped resource attaches nowhere |
 * | W5 | rules of TLSRoutes and UDPRoutes have no links to Services |
 * | W6 | two references to one Gateway make two links, and so two of each path |
 * | W7 | a listener's hostname, allowed routes, port and protocol do not count |
 * | W8 | hostnames of a route must lie within the listener's: `*.example.com` is dropped at `foo.example.com` |
 * | W9 | a path must have exactly five places: no classes, no ports, no other kinds |
 * | W10 | what affects a route is told alike for all of its Gateways; policies on its rules are not told at all |
 * | W11 | conditions of a policy are merged as a rule of their own, and come to guard the rules of others |
 * | W12 | statuses are compared in a way that never finds them equal: each is written each time |
 * | W13 | of two policies in conflict that have one age, neither is |
 * | W14 | a cycle is reported, and the topology that has it is there to be used |
 * | W15 | rules are looked up where bare specs have them: of a policy with `defaults` or `overrides`, they are there twice |
 * | W16 | a resource without apiVersion and kind is taken in, under a locator that no link finds |
 *
 * W10 and W12 are tested here as far as this package sees. Of whole statuses, `plan-status.test.ts` and `scale.test.ts` of
 * policy-status tell the rest.
 */

const http = { name: 'http', port: 80, protocol: 'HTTP' };
const https = { name: 'https', port: 443, protocol: 'HTTPS' };
const edge = gateway('edge', { gatewayClassName: 'c', listeners: [http, https] });
const toEdge = { parentRefs: [{ name: 'edge', sectionName: 'http' }] };
const toCart = { rules: [{ backendRefs: [{ name: 'cart', port: 80 }] }] };
const cart = service('cart', [{ name: 'web', port: 80 }]);
const policiesAt = (topology: ReturnType<typeof createTopology>, locator: string) =>
  topology.policiesAt(locator).map(({ resource }) => resource.metadata.name);

describe('a resource that a change does not name (W1)', () => {
  it('stays, with its policies: only removed resources are gone', () => {
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [policyKind()] });
    topology.apply({ upsert: [edge, policy('p', { kind: 'Gateway', name: 'edge' })] });
    expect(topology.apply({ upsert: [cart] })).toMatchObject({ removed: [], changed: [] });
    expect(topology.apply({ upsert: [] })).toMatchObject({ removed: [], changed: [] });
    expect(policiesAt(topology, 'gateway.gateway.networking.k8s.io:default/edge')).toEqual(['p']);
  });
});

describe('two routes of different kinds and one name (W2)', () => {
  it('keep their rules, paths and policies apart', () => {
    const kinds = policyKind({ targets: [HTTPRoute.sections.rule] });
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [kinds] });
    const routes = ['HTTPRoute', 'GRPCRoute'].map((kind) =>
      route(kind, 'cart', { ...toEdge, ...toCart, hostnames: [`${kind}.example.com`] }),
    );
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

describe('an unnamed rule with the name of another one as its place (W3)', () => {
  it('is kept beside it, and reported', () => {
    const topology = cluster(route('HTTPRoute', 'r', { rules: [{ name: 'rule-2' }, { backendRefs: [] }] }));
    expect(sectionsOf(topology)).toEqual(['HTTPRoute default/r#rule-2', 'HTTPRoute default/r#rule-2-2']);
    expect(topology.issues.map(({ code }) => code)).toEqual(['section-name-collision']);
  });
});

describe('one resource that comes twice in a change (W3)', () => {
  it('is refused instead of one of the two being lost', () => {
    const twice = { ...cart, apiVersion: 'v1beta1' };
    expect(() => cluster(cart, twice)).toThrow(expect.objectContaining({ code: 'invalid-resources' }));
  });
});

describe('a policy that targets a cluster-scoped resource (W4)', () => {
  it('attaches, if it is cluster-scoped itself or may go there', () => {
    for (const change of [{ scope: 'Cluster' }, { crossNamespace: 'allow' }] as const) {
      const kinds = policyKind({ targets: [GatewayClass], ...change });
      const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [kinds] });
      topology.apply({ upsert: [gatewayClass('c'), policy('p', { kind: 'GatewayClass', name: 'c' })] });
      expect(policiesAt(topology, 'gatewayclass.gateway.networking.k8s.io:c')).toEqual(['p']);
    }
  });
});

describe('the rules of routes (W5)', () => {
  it.each(['HTTPRoute', 'GRPCRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute'])('lead to Services: %s', (kind) => {
    const whole = route(kind, 'whole', { rules: [{ backendRefs: [{ name: 'cart' }] }] });
    const port = route(kind, 'port', toCart);
    expect(linksOf(cluster(cart, whole, port))).toEqual([
      `${kind} default/port#rule-1 > Service default/cart#web`,
      `${kind} default/whole#rule-1 > Service default/cart`,
    ]);
  });
});

describe('a route that refers to one Gateway several times (W6)', () => {
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

describe('a listener that does not take a route (W7)', () => {
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

describe("a listener with a narrower hostname than a route's (W8)", () => {
  it('is above the route all the same: they have the narrower hostname in common', () => {
    const narrow = gateway('edge', { listeners: [{ ...http, hostname: 'foo.example.com' }] });
    const wide = route('HTTPRoute', 'r', { ...toEdge, hostnames: ['*.example.com'] });
    expect(linksOf(cluster(narrow, wide))).toEqual(['Gateway default/edge#http > HTTPRoute default/r']);
  });
});

describe('a path (W9)', () => {
  it('is as long as the resources have it', () => {
    const hung = route('HTTPRoute', 'r', { ...toEdge, ...toCart });
    const to = 'Service default/cart#web';
    expect(pathsTo(cluster(hung, cart), to)).toEqual(['HTTPRoute default/r#rule-1 > Service default/cart#web']);
    expect(pathsTo(cluster(gatewayClass('c'), edge, hung, cart), to)).toEqual([
      'GatewayClass c > Gateway default/edge#http > HTTPRoute default/r#rule-1 > Service default/cart#web',
    ]);
  });
});

describe('a policy on one of the Gateways of a route (W10)', () => {
  const west = gateway('west', { listeners: [http] });
  const both = {
    parentRefs: ['edge', 'west'].map((name) => ({ name, sectionName: 'http' })),
    rules: [{ name: 'all' }],
  };
  const resources = [gateway('edge', { listeners: [http] }), west, route('HTTPRoute', 'r', both)];
  const onRule = paint('rule', 'HTTPRoute default/r#all');

  it('is met below that Gateway only, and a policy on a rule below both', () => {
    const { effective } = painted(paintPolicy(), {}, [...resources, paint('edge', 'Gateway default/edge'), onRule]);
    expect(specsTo([...effective])).toEqual({
      'Gateway default/edge#http > HTTPRoute default/r#all': { edge: true, rule: true },
      'Gateway default/west#http > HTTPRoute default/r#all': { rule: true },
    });
  });
});

/** Returns the effective policy of the only rule of a route, with a policy on its Gateway and one on the route. */
function merged(change: Parameters<typeof paintPolicy>[0], onGateway: object, onRoute: object): unknown {
  const resources = [gateway('edge', { listeners: [http] }), route('HTTPRoute', 'r', { ...toEdge, rules: [{}] })];
  const policies = [paint('g', 'Gateway default/edge', onGateway), paint('r', 'HTTPRoute default/r', onRoute)];
  const [policy] = painted(paintPolicy(change), {}, [...resources, ...policies]).effective;
  return policy?.spec;
}

describe('conditions that a policy states for all of its rules (W11)', () => {
  const [admin, night] = [{ predicate: 'path == "/admin"' }, { predicate: 'hour > 22' }];
  const guarded = kuadrant({ rules: ['/limits'], guards: 'when' });

  it('neither narrow the rules that its target inherits', () => {
    const inherited = { defaults: { strategy: 'merge', limits: { global: { rate: 9 } } } };
    expect(merged(guarded, inherited, { when: [admin], limits: { mine: { rate: 5 } } })).toEqual({
      limits: { global: { rate: 9 }, mine: { rate: 5, when: [admin] } },
    });
  });

  it('nor, of an override, those below', () => {
    const override = { overrides: { strategy: 'merge', when: [night], limits: { global: { rate: 9 } } } };
    expect(merged(guarded, override, { when: [admin], limits: { mine: { rate: 5 } } })).toEqual({
      limits: { global: { rate: 9, when: [night] }, mine: { rate: 5, when: [admin] } },
    });
  });
});

describe('a status that is accurate already (W12)', () => {
  it('is returned unchanged, so that nothing is written', () => {
    const updates = conditionsFor(gep713Vocabulary, 'enforced', { message: '' });
    const say = (status: unknown, hour: number) =>
      setConditionsInStatus(status, updates, { observedGeneration: 1, now: new Date(hour * 3_600_000) }).status;
    const said = say({}, 1);
    expect(say(said, 2)).toBe(said);
    expect(say(structuredClone(said), 3)).toEqual(said);
  });
});

describe('two policies of one kind, target and age (W13)', () => {
  it('are distinguished by name: one is established', () => {
    const [a, b] = ['shop/a', 'shop/b'].map((name) => ({ name, createdAt: 1 }));
    const order = conflictOrder<{ readonly name: string; readonly createdAt: number }>(byAge, byName);
    if (a === undefined || b === undefined) throw new Error('no policies');
    expect(order.rank(b, a)).toEqual({ established: a, challenger: b, rule: 'name' });
  });
});

describe('a cycle (W14)', () => {
  it('leaves a topology unchanged', () => {
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
    expect(() => topology.apply({ upsert: [ring], remove: [edge] })).toThrow(
      expect.objectContaining({ code: 'cycle' }),
    );
    expect(linksOf(topology)).toEqual(before);
    expect(before).toHaveLength(1);
  });
});

describe('named rules of policies with stanzas (W15)', () => {
  const rule = (name: string, rate: number) => ({ name, rate });
  const stanzas = defaultsAndOverrides({ strategies: { byName: fieldWise({ at: { '/rules': { keys: ['name'] } } }) } });

  it.each(['defaults', 'overrides'])('are there once, whichever stanza holds them: %s', (stanza) => {
    const above = { defaults: { rules: [rule('a', 1), rule('b', 1)] } };
    expect(merged({ stanzas }, above, { [stanza]: { rules: [rule('b', 2), rule('c', 2)] } })).toEqual({
      rules: [rule('a', 1), rule('b', 2), rule('c', 2)],
    });
  });
});

describe('a resource without apiVersion or kind (W16)', () => {
  it.each(['apiVersion', 'kind'])('is refused instead of lying where no link finds it: %s', (field) => {
    expect(() => cluster({ ...edge, [field]: '' })).toThrow(expect.objectContaining({ code: 'invalid-resources' }));
  });
});
