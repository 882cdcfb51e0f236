import { Gateway, type GatewayApiOptions, GRPCRoute, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { type KubernetesObject, specOf as specOfObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { z } from 'zod';

const group = 'gateway.networking.k8s.io';

/** A policy kind that Gateways, listeners, routes and rules can have. */
export const LimitPolicy = definePolicyKind({
  group: 'example.com',
  version: 'v1',
  kind: 'LimitPolicy',
  targets: [Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule, GRPCRoute],
  effectiveTargets: [HTTPRoute.sections.rule, GRPCRoute.sections.rule],
  spec: z.object({ limit: z.number() }).partial(),
  stanzas: bareSpec({ strategies: { patch } }),
});

export function topologyOf(
  objects: readonly KubernetesObject[],
  options: Pick<GatewayApiOptions, 'mesh' | 'dataPlane'> = {},
) {
  const topology = createTopology({
    targetKinds: gatewayApi({ delegation: true, ...options }),
    policyKinds: [LimitPolicy],
  });
  topology.apply({ upsert: objects });
  return topology;
}

const hostname = fc.constantFrom('*.x', 'a.x', '*.a.x', 'b.a.x', 'c');
/** Draws a value, or none: in one of so many draws. */
const optional = <Value>(value: fc.Arbitrary<Value>, freq = 2) => fc.option(value, { nil: undefined, freq });
const seldom = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const pair = fc.record({
  type: fc.constantFrom('Exact', 'Exact', 'Exact', 'Exact', 'RegularExpression'),
  name: fc.constantFrom('h', 'H', 'g'),
  value: fc.constantFrom('1', '2'),
});

const path = fc.record({
  type: fc.constantFrom('Exact', 'PathPrefix', 'PathPrefix', 'PathPrefix', 'Exact', 'RegularExpression', 'Unknown'),
  value: fc.constantFrom('/', '/a', '/a/', '/a/b', '/b', '/a?b'),
});

const httpMatch = fc.record({
  path: optional(path, 4),
  method: seldom(fc.constantFrom('GET', 'POST')),
  headers: seldom(fc.array(pair, { maxLength: 2 })),
  queryParams: seldom(fc.array(pair, { maxLength: 1 })),
});

const grpcMatch = fc.record({
  method: optional(
    fc.record({
      type: fc.constantFrom('Exact', 'Exact', 'RegularExpression'),
      service: optional(fc.constantFrom('a', 's')),
      method: optional(fc.constantFrom('b', 'm')),
    }),
  ),
  headers: seldom(fc.array(pair, { maxLength: 1 })),
});

interface Spec {
  readonly hostnames: readonly string[] | undefined;
  readonly rules: readonly { readonly matches: readonly object[] | undefined }[];
}

const specOf = (match: fc.Arbitrary<object>): fc.Arbitrary<Spec> =>
  fc.record({
    hostnames: optional(fc.array(hostname, { maxLength: 2 }), 2),
    rules: fc.array(fc.record({ matches: optional(fc.array(match, { maxLength: 2 }), 4) }), {
      minLength: 1,
      maxLength: 2,
    }),
  });

const route = fc
  .record({
    kind: fc.constantFrom('HTTPRoute', 'HTTPRoute', 'HTTPRoute', 'GRPCRoute'),
    year: fc.constantFrom(2020, 2021, 2022),
    parents: fc.array(fc.constantFrom('one', 'one', 'two', 'one#l0', 'one#l1'), { minLength: 1, maxLength: 2 }),
    child: fc.constantFrom(undefined, undefined, undefined, 1, 2, 3),
  })
  .chain((shape) => fc.tuple(fc.constant(shape), specOf(shape.kind === 'HTTPRoute' ? httpMatch : grpcMatch)));

const tls = { certificateRefs: [{ name: 'certificate' }] };

const listener = fc
  .record({
    port: fc.constantFrom(80, 80, 443),
    protocol: fc.constantFrom('HTTP', 'HTTP', 'HTTPS'),
    hostname: optional(hostname),
  })
  .map((given) => ({ ...given, ...(given.protocol === 'HTTPS' && { tls }) }));

/** Random objects: two Gateways, routes, some of which delegate, and policies. */
export const clusters: fc.Arbitrary<readonly KubernetesObject[]> = fc
  .record({
    one: fc.array(listener, { minLength: 1, maxLength: 3 }),
    two: fc.array(listener, { minLength: 1, maxLength: 1 }),
    routes: fc.array(route, { minLength: 1, maxLength: 4 }),
    policies: fc.array(
      fc.record({
        target: fc.constantFrom('Gateway one', 'Gateway two', 'Gateway one#l0', 'r0', 'r1', 'r2', 'r1#rule-1'),
        limit: fc.constantFrom(1, 9),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ one, two, routes, policies }) => [
    gateway('one', one),
    gateway('two', two),
    ...routes.map(([shape, spec], index) => routeOf(index, shape, spec)),
    ...policies.map(({ target, limit }, index) => policyOf(index, target, limit, routes)),
  ]);

/** How a route is part of a mesh: attached to a Service or to one of its ports, and of the Service's namespace or of a client's. */
const membership = fc.record({
  parent: fc.constantFrom(undefined, {}, {}, { port: 80 }, { sectionName: 'admin' }),
  service: fc.constantFrom('s', 's', 't'),
  namespace: fc.constantFrom('n', 'n', 'm'),
});

/** Random objects like {@link clusters}, with Services to which routes of two namespaces are attached. */
export const meshes: fc.Arbitrary<readonly KubernetesObject[]> = fc
  .tuple(clusters, fc.array(membership, { minLength: 4, maxLength: 4 }))
  .map(([objects, members]) => {
    const routes = objects.filter(({ kind }) => kind.endsWith('Route'));
    const others = objects.filter((each) => !routes.includes(each));
    const attached = routes.map((route, index) => memberOf(route, members[index]));
    return [...others, ...['s', 't'].map(service), ...attached];
  });

function memberOf(
  route: KubernetesObject,
  member: (typeof membership extends fc.Arbitrary<infer Value> ? Value : never) | undefined,
): KubernetesObject {
  const spec = specOfObject(route);
  if (member?.parent === undefined || !Array.isArray(spec.parentRefs)) return route;
  const ref = { group: '', kind: 'Service', namespace: 'n', name: member.service, ...member.parent };
  const { namespace } = member;
  return {
    ...route,
    metadata: { ...route.metadata, namespace },
    spec: { ...spec, parentRefs: [...spec.parentRefs, ref] },
  };
}

function service(name: string): KubernetesObject {
  const ports = [
    { name: 'web', port: 80 },
    { name: 'admin', port: 81 },
  ];
  return object('v1', 'Service', name, { ports });
}

function gateway(name: string, listeners: readonly object[]): KubernetesObject {
  const named = listeners.map((each, index) => ({ name: `l${index}`, ...each }));
  return object(`${group}/v1`, 'Gateway', name, { listeners: named });
}

type Shape = {
  readonly kind: string;
  readonly year: number;
  readonly parents: readonly string[];
  readonly child?: number | undefined;
};

function routeOf(index: number, { kind, year, parents, child }: Shape, { hostnames, rules }: Spec): KubernetesObject {
  const parentRefs = [...new Set(parents)].map((parent) => {
    const [name, sectionName] = parent.split('#');
    return { name, ...(sectionName === undefined ? {} : { sectionName }) };
  });
  const backendRefs =
    child === undefined || kind !== 'HTTPRoute' || child <= index
      ? {}
      : { backendRefs: [{ group, kind: 'HTTPRoute', name: `r${child}` }] };
  const isChild = child !== undefined && child === index && index > 0;
  const spec = {
    ...(isChild ? {} : { parentRefs, ...(hostnames === undefined ? {} : { hostnames }) }),
    rules: rules.map((rule, at) => ({ name: `rule-${at + 1}`, ...clean(rule), ...(at === 0 ? backendRefs : {}) })),
  };
  return object(`${group}/v1`, kind, `r${index}`, spec, year);
}

function policyOf(
  index: number,
  target: string,
  limit: number,
  routes: readonly (readonly [Shape, Spec])[],
): KubernetesObject {
  const [name = '', sectionName] = target.replace('Gateway ', '').split('#');
  const kind = target.startsWith('Gateway') ? 'Gateway' : (routes[Number(name.slice(1))]?.[0].kind ?? 'HTTPRoute');
  const targetRefs = [{ group, kind, name, ...(sectionName === undefined ? {} : { sectionName }) }];
  return object('example.com/v1', 'LimitPolicy', `p${index}`, { targetRefs, limit });
}

function object(apiVersion: string, kind: string, name: string, spec: object, year = 2020): KubernetesObject {
  const metadata = { namespace: 'n', name, creationTimestamp: `${year}-01-01T00:00:00Z` };
  return { apiVersion, kind, metadata, spec };
}

/** Removes fields without a value, as JSON does. */
function clean<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}
