import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi, type RequestMatch, type Traced, traceRequest } from '@policy-machinery/gateway-api';
import { requestPaths } from '@policy-machinery/gateway-api/inner';
import { everyRequestMeets, type Guarantee } from '@policy-machinery/guarantees';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology, type Topology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAdmission } from '../../index.ts';
import { reviewOf, TimeoutPolicy } from './world.fixture.ts';

const runs = Number(process.env.PROPERTY_RUNS ?? 40);
const seed = Number(process.env.PROPERTY_SEED ?? 55);

const shop = createFixtures({ namespace: 'shop' });
const bank = createFixtures({ namespace: 'bank' });
const infra = createFixtures({ namespace: 'infra' });
const timed: Guarantee = everyRequestMeets({ name: 'timed', kind: 'TimeoutPolicy' });
const hosts = ['a.x', 'b.x', 'z'];
const paths = ['/', '/a', '/a/b', '/b'];

const listener = (hostname: string | undefined, from: string) => ({
  name: `on-${hostname?.replace('*', 'any') ?? 'all'}`,
  ...(hostname !== undefined && { hostname }),
  allowedRoutes: { namespaces: { from } },
});

const gateways = fc
  .tuple(fc.subarray([undefined, '*.x', 'a.x'], { minLength: 1 }), fc.constantFrom('All', 'All', 'Same'))
  .map(([hostnames, from]) => infra.gateway('edge', { listeners: hostnames.map((each) => listener(each, from)) }));

const match = fc.constantFrom(
  { path: { type: 'PathPrefix', value: '/' } },
  { path: { type: 'PathPrefix', value: '/a' } },
  { path: { type: 'Exact', value: '/a' } },
  { path: { type: 'Exact', value: '/b' } },
  { path: { type: 'RegularExpression', value: '/(a|b)' } },
);

type Tenant = typeof shop;

const routeOf = (own: Tenant, name: string, hostnames: readonly string[], rules: readonly object[]) =>
  own.httpRoute(name, { parents: [{ name: 'edge', namespace: 'infra' }], hostnames, rules });

const routes = fc
  .tuple(
    fc.constantFrom([shop, 'one'] as const, [shop, 'two'] as const, [bank, 'one'] as const),
    fc.subarray(['a.x', 'b.x', '*.x']),
    fc.array(match, { minLength: 1, maxLength: 2 }),
  )
  .map(([[own, name], hostnames, matches]) => routeOf(own, name, hostnames, [{ matches }]));

const edge = infra.gateway('edge');
const spec = { request: '1s' };
const policies = fc.constantFrom(
  infra.policy(TimeoutPolicy, 'house', { on: edge, spec }),
  ...[shop, bank].map((own) => own.policy(TimeoutPolicy, 'own', { on: own.httpRoute('one'), spec })),
  shop.policy(TimeoutPolicy, 'two', { on: shop.httpRoute('two'), spec }),
);

const objects = fc.oneof(routes, routes, policies, policies, gateways);
const given = fc
  .tuple(gateways, fc.array(objects, { minLength: 3, maxLength: 7 }))
  .map(([one, more]) => [one, ...more]);
const changes = fc.array(fc.tuple(objects, fc.constantFrom('apply', 'apply', 'delete')), {
  minLength: 6,
  maxLength: 10,
});

function topologyWith(given: readonly KubernetesObject[]): Topology {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
  topology.apply({ upsert: given });
  return topology;
}

type Outcome = 'kept' | 'broken' | 'hidden';

/** Returns whether each request keeps the guarantee, by an enumeration. */
function outcomesIn(topology: Topology): ReadonlyMap<string, Outcome> {
  const effective = effectivePolicies(topology, TimeoutPolicy);
  const isOpen = ({ listener, via, route, rule }: Traced<RequestMatch>): boolean =>
    [...requestPaths(topology, { listener, via, route, ...(rule && { rule }) })].some(
      (path) => effective.along(path).length === 0,
    );
  const outcomes = new Map<string, Outcome>();
  for (const host of hosts) {
    for (const path of paths) {
      for (const { port, winner, undecided } of traceRequest(topology, { host, path })) {
        const takers = [...undecided.filter(({ lostBy }) => lostBy === undefined), ...(winner ? [winner] : [])];
        const open = takers.filter(isOpen);
        const isBroken = winner !== undefined && open.length === takers.length;
        outcomes.set(`${port} ${host}${path}`, isBroken ? 'broken' : open.length === 0 ? 'kept' : 'hidden');
      }
    }
  }
  return outcomes;
}

const webhookFor = (topology: Topology) =>
  createAdmission({
    views: effectivePolicies(topology, TimeoutPolicy),
    guarantees: [timed],
    refuse: 'broken-guarantees',
    warn: [],
  });

const keyOf = ({ kind, metadata: { namespace, name } }: KubernetesObject) => `${kind} ${namespace}/${name}`;

describe('an admission webhook that is asked about each change of a sequence', () => {
  it('never lets requests break a guarantee that were not open from the start, whatever was open or hidden before', async () => {
    const count = { admitted: 0, refused: 0, open: 0 };
    const property = fc.asyncProperty(given, changes, async (first, sequence) => {
      const stored = new Map(first.map((each) => [keyOf(each), each]));
      const topology = topologyWith([...stored.values()]);
      const admission = webhookFor(topology);
      let before = outcomesIn(topology);
      for (const [drawn, what] of sequence) {
        const old = stored.get(keyOf(drawn));
        const object = old === undefined ? drawn : { ...drawn, metadata: { ...old.metadata, generation: 2 } };
        if (what === 'delete' && old === undefined) continue;
        const request =
          what === 'delete'
            ? ({ operation: 'DELETE', object: null, oldObject: old ?? null } as const)
            : ({ operation: old === undefined ? 'CREATE' : 'UPDATE', oldObject: old ?? null } as const);
        const { response } = await admission.review(reviewOf(object, request));
        count[response.allowed ? 'admitted' : 'refused'] += 1;
        if (!response.allowed) continue;
        if (what === 'delete') stored.delete(keyOf(object));
        else stored.set(keyOf(object), object);
        topology.apply(what === 'delete' ? { remove: [object] } : { upsert: [object] });
        const after = outcomesIn(topology);
        for (const [request, outcome] of after) {
          const was = before.get(request) ?? 'kept';
          const isWorse = outcome === 'broken' ? was !== 'broken' : outcome === 'hidden' && was === 'kept';
          if (isWorse) expect({ request, was, outcome, object, what }).toEqual('an outcome that is not worse');
          if (outcome !== 'kept') count.open += 1;
        }
        before = after;
      }
    });
    await fc.assert(property, { numRuns: runs, seed });
    expect(Math.min(...Object.values(count))).toBeGreaterThan(runs / 5);
  }, 7_200_000);
});

describe('a route of one tenant that hides the requests to a host', () => {
  const unreadable = [{ matches: [{ path: { type: 'RegularExpression', value: '(?=/a)/.*' } }] }];
  const legacy = routeOf(shop, 'one', ['a.x'], unreadable);
  const open = routeOf(shop, 'two', ['b.x'], [{}]);
  const vault = routeOf(bank, 'one', ['vault.x'], [{}]);
  const own = bank.policy(TimeoutPolicy, 'own', { on: bank.httpRoute('one'), spec });

  it.each<[string, readonly KubernetesObject[], KubernetesObject, 'CREATE' | 'DELETE']>([
    ['a route without a policy', [], vault, 'CREATE'],
    ['a route without a policy, at the same host', [], routeOf(bank, 'one', ['a.x'], [{}]), 'CREATE'],
    ['the deletion of a policy', [vault, own], own, 'DELETE'],
  ])('does not admit %s of another tenant', async (_, more, object, operation) => {
    const topology = topologyWith([
      infra.gateway('edge', { listeners: [listener(undefined, 'All')] }),
      legacy,
      open,
      ...more,
    ]);
    const request = operation === 'DELETE' ? { operation, object: null, oldObject: object } : { operation };
    const { response } = await webhookFor(topology).review(reviewOf(object, request));
    expect(response).toMatchObject({ allowed: false });
    expect(response.status?.message).toContain('bank/one');
  });
});

describe('a change of a listener that hides the requests to one host as those to others were hidden before', () => {
  const dated = (object: KubernetesObject, year: number): KubernetesObject => ({
    ...object,
    metadata: { ...object.metadata, creationTimestamp: `${year}-01-01T00:00:00Z` },
  });
  const [broad, narrow] = ['*.x', 'a.x'].map((name) => infra.gateway('edge', { listeners: [listener(name, 'All')] }));
  const open = dated(routeOf(bank, 'one', [], [{}]), 2020);
  const closed = dated(routeOf(shop, 'one', ['a.x', '*.x'], [{}]), 2021);
  const own = shop.policy(TimeoutPolicy, 'own', { on: shop.httpRoute('one'), spec });

  it('is refused', async () => {
    const topology = topologyWith([broad, open, closed, own].filter((it) => it !== undefined));
    const request = { operation: 'UPDATE', oldObject: broad ?? null } as const;
    const { response } = await webhookFor(topology).review(reviewOf(narrow ?? open, request));
    expect(response).toMatchObject({ allowed: false });
  });
});
