import {
  type EffectivePolicies,
  type EffectivePoliciesOptions,
  effectivePolicies,
} from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute, Namespace, Service } from '@policy-machinery/gateway-api';
import { atomic, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { type JsonObject, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { createTopology, type Topology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { z } from 'zod';
import { collect } from './data/collect.ts';
import { Report } from './data/report.ts';

const group = 'policies.example.com';
const spec = z
  .strictObject({ request: z.string(), idle: z.string(), retries: z.int(), codes: z.array(z.string()) })
  .partial();
const stanzas = defaultsAndOverrides({ strategies: { patch, atomic } });

/** A policy kind that affects rules. */
export const TimeoutPolicy = definePolicyKind({
  ...{ group, version: 'v1', kind: 'TimeoutPolicy', spec, stanzas },
  targets: [Namespace, Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule],
  effectiveTargets: [HTTPRoute.sections.rule],
});

/** A policy kind that affects ports of Services. */
export const BackendPolicy = definePolicyKind({
  ...{ group, version: 'v1', kind: 'BackendPolicy', spec, stanzas },
  targets: [Gateway, HTTPRoute, Service, Service.sections.port],
  effectiveTargets: [Service.sections.port],
});

/** A policy kind that affects whole Services, and so all their ports. */
export const UpstreamPolicy = definePolicyKind({
  ...{ group, version: 'v1', kind: 'UpstreamPolicy', spec, stanzas },
  targets: [Namespace, Gateway, HTTPRoute, Service],
  effectiveTargets: [Service],
});

/** A policy kind that affects what it is attached to. */
export const ListenerPolicy = definePolicyKind({
  ...{ group, version: 'v1', kind: 'ListenerPolicy', spec },
  targets: [Gateway, Gateway.sections.listener],
});

/** A policy kind that affects whole namespaces. */
export const NamespacePolicy = definePolicyKind({
  ...{ group, version: 'v1', kind: 'NamespacePolicy', spec, stanzas },
  targets: [Namespace],
});

/** The policy kinds, with effective targets of all sorts: sections, whole objects with sections, both, ports and namespaces. */
export const kinds = [TimeoutPolicy, BackendPolicy, UpstreamPolicy, ListenerPolicy, NamespacePolicy];

/** Resources, their effective policies, and the data of their page. */
export interface World {
  readonly topology: Topology;
  readonly views: readonly EffectivePolicies<unknown>[];
  readonly report: Report;
}

/** Returns the world of some resources. */
export function worldOf(
  resources: readonly KubernetesObject[],
  delegation = false,
  options: EffectivePoliciesOptions = {},
): World {
  const topology = createTopology({ targetKinds: gatewayApi({ delegation }), policyKinds: kinds });
  topology.apply({ upsert: resources });
  const views = kinds.map((kind) => effectivePolicies(topology, kind, options) as EffectivePolicies<unknown>);
  const data = collect({ topology, views, issues: topology.issues, title: 'A world', now: new Date(0) });
  return { topology, views, report: new Report(JSON.parse(JSON.stringify(data))) };
}

/** Returns a resource of Gateway API, or of the core. */
export function resource(kind: string, name: string, body: JsonObject = {}, year = 2024): KubernetesObject {
  const isCore = ['Service', 'Namespace'].includes(kind);
  const metadata = {
    name,
    ...(kind !== 'Namespace' && { namespace: 'shop' }),
    creationTimestamp: `${year}-01-01T00:00:00Z`,
  };
  return { apiVersion: isCore ? 'v1' : 'gateway.networking.k8s.io/v1', kind, metadata, spec: body };
}

/** Returns a policy on some targets. */
export function policy(
  kind: string,
  name: string,
  targetRefs: readonly JsonObject[],
  body: JsonObject,
): KubernetesObject {
  const metadata = { name, namespace: 'shop', creationTimestamp: '2024-01-01T00:00:00Z' };
  return { apiVersion: `${group}/v1`, kind, metadata, spec: { targetRefs, ...body } };
}

/** Returns a reference to a target. */
export function refTo(kind: string, name: string, sectionName?: string): JsonObject {
  const isCore = ['Service', 'Namespace'].includes(kind);
  return {
    group: isCore ? '' : 'gateway.networking.k8s.io',
    kind,
    name,
    ...(sectionName !== undefined && { sectionName }),
  };
}

const hostnames = ['a.example.com', 'b.example.com', '*.example.com'];
const paths = ['/', '/cart', '/cart/pay', '/admin'];
const some = <Value>(value: fc.Arbitrary<Value>, most: number) => fc.array(value, { minLength: 1, maxLength: most });
const nameOf = (prefix: string, most: number) => fc.nat(most - 1).map((index) => `${prefix}-${index}`);

const matches = fc.oneof(
  fc.record({ path: fc.record({ type: fc.constantFrom('PathPrefix', 'Exact'), value: fc.constantFrom(...paths) }) }),
  fc.record({ method: fc.constantFrom('GET', 'POST') }),
  fc.record({ path: fc.constant({ type: 'RegularExpression', value: '/c.*' }) }),
  fc.constant({ headers: [{ name: 'x-canary', value: 'yes' }] }),
  fc.constant('no match'),
);

const listener = fc.record({
  port: fc.constantFrom(80, 443),
  hostname: fc.constantFrom(undefined, ...hostnames),
  routes: fc.constantFrom('Same', 'All'),
});

const gateways = some(some(listener, 3), 3).map((all) =>
  all.map((listeners, index) =>
    resource('Gateway', `gw-${index}`, {
      gatewayClassName: 'edge',
      listeners: listeners.map(({ port, hostname, routes }, at) => ({
        ...{ name: `l-${at}`, port, protocol: 'HTTP', allowedRoutes: { namespaces: { from: routes } } },
        ...(hostname !== undefined && { hostname }),
      })),
    }),
  ),
);

const route = fc.record({
  /** Some systems refuse a hostname that routes of two kinds share: whether such routes are linked is undecided. */
  kind: fc.constantFrom('HTTPRoute', 'HTTPRoute', 'HTTPRoute', 'GRPCRoute'),
  parents: some(fc.tuple(nameOf('gw', 3), fc.option(nameOf('l', 3), { nil: undefined })), 2),
  hostnames: fc.option(some(fc.constantFrom(...hostnames), 2), { nil: undefined }),
  year: fc.integer({ min: 2020, max: 2022 }),
  rules: some(
    fc.record({
      matches: fc.option(some(matches, 2), { nil: undefined }),
      services: fc.array(nameOf('svc', 2), { maxLength: 2 }),
    }),
    3,
  ),
});

const routes = some(route, 5).map((all) =>
  all.map(({ kind, parents, hostnames: names, year, rules }, index) =>
    resource(
      kind,
      `route-${index}`,
      {
        parentRefs: parents.map(([name, sectionName]) => ({ name, ...(sectionName !== undefined && { sectionName }) })),
        ...(names !== undefined && { hostnames: names }),
        rules: rules.map(({ matches: listed, services }) => ({
          ...(listed !== undefined && kind === 'HTTPRoute' && { matches: listed }),
          backendRefs: services.map((name) => ({ name, port: 80 })),
        })),
      },
      year,
    ),
  ),
);

const aboveServices = fc.oneof(
  nameOf('gw', 3).map((name) => refTo('Gateway', name)),
  nameOf('route', 5).map((name) => refTo('HTTPRoute', name)),
  nameOf('svc', 2).map((name) => refTo('Service', name)),
);

const targets: Readonly<Record<string, fc.Arbitrary<JsonObject>>> = {
  TimeoutPolicy: fc.oneof(
    fc.constant(refTo('Namespace', 'shop')),
    fc
      .tuple(nameOf('gw', 3), fc.option(nameOf('l', 3), { nil: undefined }))
      .map(([name, section]) => refTo('Gateway', name, section)),
    fc
      .tuple(nameOf('route', 5), fc.constantFrom(undefined, 'rule-1', 'rule-2'))
      .map(([name, section]) => refTo('HTTPRoute', name, section)),
  ),
  BackendPolicy: aboveServices,
  UpstreamPolicy: aboveServices,
  ListenerPolicy: fc.tuple(nameOf('gw', 3), nameOf('l', 3)).map(([name, section]) => refTo('Gateway', name, section)),
  NamespacePolicy: fc.constant(refTo('Namespace', 'shop')),
};

const fields = fc.record(
  { request: fc.constantFrom('1s', '2s'), idle: fc.constantFrom('1m', '2m'), retries: fc.nat(3) },
  { requiredKeys: [] },
);

const policies = fc
  .array(
    fc.constantFrom(...Object.keys(targets)).chain((kind) =>
      fc.record({
        kind: fc.constant(kind),
        target: targets[kind] ?? fc.constant({}),
        stanza: fc.constantFrom('', 'defaults', 'overrides'),
        body: fields,
      }),
    ),
    { maxLength: 8 },
  )
  .map((all) =>
    all.map(({ kind, target, stanza, body }, index) =>
      policy(kind, `policy-${index}`, [target], stanza === '' || kind === 'ListenerPolicy' ? body : { [stanza]: body }),
    ),
  );

const services = ['svc-0', 'svc-1'].map((name) =>
  resource('Service', name, {
    ports: [
      { name: 'web', port: 80 },
      { name: 'metrics', port: 9090 },
    ],
  }),
);

/** Resources of small worlds in which listeners, routes and policies meet in many ways. */
export const resources: fc.Arbitrary<readonly KubernetesObject[]> = fc
  .tuple(gateways, routes, policies)
  .map((parts) => [resource('Namespace', 'shop'), ...services, ...parts.flat()]);

/** Requests to such worlds. */
export const requests = fc.record({
  host: fc.constantFrom('a.example.com', 'b.example.com', 'c.example.com', 'other.example.org'),
  path: fc.constantFrom('/', '/cart', '/cart/pay/now', '/admin', '/nowhere'),
  method: fc.constantFrom('GET', 'POST'),
  headers: fc.constantFrom([], [['x-canary', 'yes'] as const]),
});

/** Returns one of so many objects, or of ten times as many: then most steps change a single object. */
const oneOf = (most: number) => fc.constantFrom(most, 10 * most).chain((all) => fc.infiniteStream(fc.nat(all - 1)));

/** A change of a world: the given objects, and the locators of the removed ones. */
export interface Step {
  readonly upsert: readonly KubernetesObject[];
  readonly remove: readonly string[];
}

/** Histories of a world: each step takes some objects of another world with the same names, and removes some. */
export const histories: fc.Arbitrary<{ readonly first: readonly KubernetesObject[]; readonly steps: readonly Step[] }> =
  fc
    .record({
      first: resources,
      changes: fc.array(fc.record({ next: resources, isTaken: oneOf(2), isRemoved: oneOf(4) }), {
        minLength: 1,
        maxLength: 5,
      }),
    })
    .map(({ first, changes }) => {
      const present = new Set(first.map((object) => locatorOf(object)));
      const steps = changes.map(({ next, isTaken, isRemoved }) => {
        const upsert = next.filter(() => isTaken.next().value === 0);
        const remove = [...present].filter(() => isRemoved.next().value === 0);
        for (const locator of remove) present.delete(locator);
        for (const object of upsert) present.add(locatorOf(object));
        return { upsert, remove };
      });
      return { first, steps };
    });
