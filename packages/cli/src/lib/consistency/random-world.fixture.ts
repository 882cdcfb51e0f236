import type { DataPlaneOf, SharedHostnames } from '@policy-machinery/gateway-api';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';

/*
 * Random clusters as plain data, from which objects are made, and a second, naive implementation decides what they mean: see `expected.fixture.ts`.
 * Names and values are few, so that nearly all rules meet.
 */

export interface ListenerData {
  readonly name: string;
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS' | 'TCP';
  readonly hostname: string | undefined;
  readonly kinds: readonly string[];
  readonly from: 'Same' | 'All' | 'None' | 'Selector' | undefined;
}

/** A Gateway, or a ListenerSet with its Gateway. */
export interface OwnerData {
  readonly kind: 'Gateway' | 'ListenerSet';
  readonly namespace: string;
  readonly name: string;
  readonly year: number;
  readonly listeners: readonly ListenerData[];
  /** From which namespaces a Gateway takes ListenerSets. */
  readonly allows: 'Same' | 'All' | 'None' | undefined;
  /** The name of a ListenerSet's Gateway, in namespace `a`. */
  readonly gateway: string;
}

export interface ParentData {
  readonly kind: 'Gateway' | 'ListenerSet' | 'HTTPRoute';
  readonly namespace: string;
  readonly name: string;
  readonly sectionName: string | undefined;
  readonly port: number | undefined;
}

export interface RouteData {
  readonly kind: 'HTTPRoute' | 'GRPCRoute' | 'TCPRoute';
  readonly namespace: string;
  readonly name: string;
  readonly year: number;
  readonly hostnames: readonly string[];
  readonly parents: readonly ParentData[];
  /** The names of the HTTPRoutes of namespace `b` that an HTTPRoute delegates to. */
  readonly children: readonly string[];
}

export interface WorldData {
  readonly owners: readonly OwnerData[];
  readonly routes: readonly RouteData[];
  /** The namespaces with the label that selectors look for. */
  readonly open: readonly string[];
  /** What the data plane does with an HTTPRoute and a GRPCRoute that share a hostname. */
  readonly sharedHostnames: SharedHostnames;
}

const hostnames = ['a.example', 'b.example', '*.example', '*.a.example', 'x.a.example', 'other.test'];
const years = fc.constantFrom(2020, 2021, 2022);
const ports = fc.constantFrom(80, 80, 81);

const listeners: fc.Arbitrary<readonly ListenerData[]> = fc
  .array(
    fc.record({
      port: ports,
      protocol: fc.constantFrom('HTTP', 'HTTP', 'HTTP', 'HTTPS', 'TCP'),
      hostname: fc.constantFrom(undefined, undefined, 'a.example', '*.example', 'x.a.example'),
      kinds: fc.constantFrom([], [], [], [], [], ['HTTPRoute'], ['GRPCRoute', 'HTTPRoute']),
      from: fc.constantFrom(undefined, 'All', 'All', 'All', 'All', 'None', 'Selector', 'Same'),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((drawn) => drawn.map((it, index) => ({ ...it, name: `l${index}` }) as ListenerData));

const owners = fc
  .tuple(
    fc.array(fc.record({ listeners, allows: fc.constantFrom('All', 'All', 'Same', 'Same', 'None', undefined) }), {
      minLength: 1,
      maxLength: 2,
    }),
    fc.array(
      fc.record({
        listeners,
        year: years,
        namespace: fc.constantFrom('a', 'b'),
        gateway: fc.constantFrom('g0', 'g0', 'g1'),
      }),
      {
        maxLength: 2,
      },
    ),
  )
  .map(([gateways, sets]): readonly OwnerData[] => [
    ...gateways.map(
      (it, index) => ({ ...it, kind: 'Gateway', namespace: 'a', name: `g${index}`, year: 2020, gateway: '' }) as const,
    ),
    ...sets.map((it, index) => ({ ...it, kind: 'ListenerSet', name: `s${index}`, allows: undefined }) as const),
  ]);

const parents: fc.Arbitrary<ParentData> = fc
  .record({
    to: fc.constantFrom(
      ...(['Gateway/a/g0', 'Gateway/a/g0', 'Gateway/a/g0', 'Gateway/a/g1'] as const),
      ...(['ListenerSet/a/s0', 'ListenerSet/b/s0', 'ListenerSet/a/s1'] as const),
      ...(['HTTPRoute/a/r0', 'HTTPRoute/b/r1'] as const),
    ),
    sectionName: fc.constantFrom(undefined, undefined, undefined, 'l0', 'l1'),
    port: fc.constantFrom(undefined, undefined, undefined, undefined, 80, 81),
  })
  .map(({ to, sectionName, port }) => {
    const [kind, namespace, name] = to.split('/') as [ParentData['kind'], string, string];
    const isRoute = kind === 'HTTPRoute';
    return { kind, namespace, name, sectionName: isRoute ? undefined : sectionName, port: isRoute ? undefined : port };
  });

const routes = fc
  .array(
    fc.record({
      kind: fc.constantFrom('HTTPRoute', 'HTTPRoute', 'GRPCRoute', 'GRPCRoute', 'TCPRoute'),
      namespace: fc.constantFrom('a', 'b'),
      year: years,
      hostnames: fc.oneof(fc.constant([]), fc.subarray(hostnames, { maxLength: 2 })),
      parents: fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        {
          weight: 3,
          arbitrary: fc.uniqueArray(parents, { maxLength: 2, selector: (parent) => JSON.stringify(parent) }),
        },
      ),
      children: fc.constantFrom([], [], ['r1'], ['r2'], ['r2', 'r3'], ['r3']),
    }),
    { minLength: 2, maxLength: 6 },
  )
  .map((drawn) =>
    drawn.map((it, index): RouteData => {
      // Later routes are the children of earlier ones, so that delegation has no cycles.
      const children = it.kind === 'HTTPRoute' ? it.children.filter((name) => Number(name.slice(1)) > index) : [];
      return { ...it, kind: it.kind as RouteData['kind'], name: `r${index}`, children };
    }),
  );

/** Any world. */
export const worlds: fc.Arbitrary<WorldData> = fc.record({
  owners,
  routes,
  open: fc.subarray(['a', 'b']),
  sharedHostnames: fc.constantFrom<SharedHostnames>('refused', 'refused', 'allowed'),
});

/** The data planes of the controllers of random worlds, which are named after what they do. */
export const dataPlane: DataPlaneOf = (controllerName = '') => ({
  sharedHostnames: controllerName.startsWith('refused') ? 'refused' : 'allowed',
  hostnamePrecedence: 'route',
  claimsWithoutCertificate: 'kept',
});

const group = 'gateway.networking.k8s.io';

/** Returns the objects of a world. Each route has one rule, whose matches every request fulfils, with a policy on the route. */
export function objectsOf({
  owners: all,
  routes: below,
  open,
  sharedHostnames,
}: WorldData): readonly KubernetesObject[] {
  return [
    made(`${group}/v1`, 'GatewayClass', { name: 'c' }, { controllerName: `${sharedHostnames}.example/controller` }),
    ...['a', 'b'].map((name) =>
      made('v1', 'Namespace', { name, labels: open.includes(name) ? { open: 'yes' } : {} }, {}),
    ),
    ...all.map(ownerObject),
    ...below.map(routeObject),
    ...below.map(policyObject),
  ];
}

function made(
  apiVersion: string,
  kind: string,
  metadata: { readonly name: string } & JsonObject,
  spec: JsonObject,
): KubernetesObject {
  return { apiVersion, kind, metadata, spec } as unknown as KubernetesObject;
}

function ownerObject({ kind, namespace, name, year, listeners: own, allows, gateway }: OwnerData): KubernetesObject {
  const spec = {
    ...(kind === 'Gateway' ? { gatewayClassName: 'c' } : { parentRef: { name: gateway, namespace: 'a' } }),
    ...(allows === undefined ? {} : { allowedListeners: { namespaces: { from: allows } } }),
    listeners: own.map(listenerObject),
  };
  return made(
    `${group}/v1`,
    kind,
    { namespace, name, creationTimestamp: `${year}-01-01T00:00:00Z`, generation: 1 },
    spec,
  );
}

function listenerObject({ name, port, protocol, hostname, kinds, from }: ListenerData): JsonObject {
  const selector = from === 'Selector' ? { selector: { matchLabels: { open: 'yes' } } } : {};
  return {
    name,
    port,
    protocol,
    ...(hostname === undefined ? {} : { hostname }),
    ...(protocol === 'HTTPS' ? { tls: { certificateRefs: [{ name: 'certificate' }] } } : {}),
    allowedRoutes: {
      ...(kinds.length === 0 ? {} : { kinds: kinds.map((kind) => ({ kind })) }),
      ...(from === undefined ? {} : { namespaces: { from, ...selector } }),
    },
  };
}

function routeObject({
  kind,
  namespace,
  name,
  year,
  hostnames: own,
  parents: above,
  children,
}: RouteData): KubernetesObject {
  const spec = {
    ...(own.length === 0 ? {} : { hostnames: own }),
    ...(above.length === 0 ? {} : { parentRefs: above.map(parentRefOf) }),
    rules: [
      {
        name: 'rule',
        backendRefs: children.map((child) => ({ group, kind: 'HTTPRoute', namespace: 'b', name: child })),
      },
    ],
  };
  return made(
    `${group}/v1`,
    kind,
    { namespace, name, creationTimestamp: `${year}-01-01T00:00:00Z`, generation: 1 },
    spec as JsonObject,
  );
}

/** Returns a parent as a route refers to it. */
export function parentRefOf({ sectionName, port, ...to }: ParentData): JsonObject {
  return {
    group,
    ...to,
    ...(sectionName === undefined ? {} : { sectionName }),
    ...(port === undefined ? {} : { port }),
  };
}

function policyObject({ kind, namespace, name }: RouteData): KubernetesObject {
  const spec = { targetRefs: [{ group, kind, name }], retry: { numRetries: 1 } };
  return made(
    'gateway.envoyproxy.io/v1alpha1',
    'BackendTrafficPolicy',
    { namespace, name: `on-${name}`, generation: 1 },
    spec,
  );
}
