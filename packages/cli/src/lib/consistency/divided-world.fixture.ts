import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';

/*
 * Random worlds with references between namespaces, and the parts of them that files of one repository have: without some Gateways, backends, Secrets
 * and ReferenceGrants, and without some HTTPRoutes that a controller creates. Names are few, so that most references lead somewhere in the whole world.
 */

/** A world, and a part of it. */
export interface DividedWorld {
  readonly whole: readonly KubernetesObject[];
  readonly part: readonly KubernetesObject[];
}

const routing = 'gateway.networking.k8s.io';
const namespaces = ['a', 'b'] as const;
const namespace = fc.constantFrom(...namespaces);
const number = fc.constantFrom('0', '1');

function object(
  apiVersion: string,
  kind: string,
  { name, namespace: own }: { readonly name: string; readonly namespace: string },
  spec: object,
  more: object = {},
): KubernetesObject {
  const metadata = { name, namespace: own, creationTimestamp: '2026-01-01T00:00:00Z', ...more };
  return { apiVersion, kind, metadata, spec } as unknown as KubernetesObject;
}

const gateways = fc
  .array(
    fc.record({
      namespace,
      from: fc.constantFrom('All', 'All', 'Same', 'None'),
      hostname: fc.constantFrom(undefined, undefined, 'a.example'),
      secret: fc.constantFrom(undefined, 'a', 'b'),
      sets: fc.constantFrom('All', 'Same', undefined),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) =>
    all.map(({ namespace: own, from, hostname, secret, sets }, index) => {
      const allowedRoutes = { namespaces: { from } };
      const tls = { certificateRefs: [{ name: 'cert', namespace: secret }] };
      const [protocol, port] = secret === undefined ? ['HTTP', 80] : ['HTTPS', 443];
      const listener = {
        name: 'l',
        port,
        protocol,
        allowedRoutes,
        ...(hostname && { hostname }),
        ...(secret && { tls }),
      };
      const allowedListeners = sets && { allowedListeners: { namespaces: { from: sets } } };
      const spec = { gatewayClassName: 'c', listeners: [listener], ...allowedListeners };
      return object(`${routing}/v1`, 'Gateway', { name: `g${index % 2}`, namespace: own }, spec);
    }),
  );

const sets = fc.array(fc.record({ namespace, gateway: number, above: namespace }), { maxLength: 1 }).map((all) =>
  all.map(({ namespace: own, gateway, above }) =>
    object(
      `${routing}/v1`,
      'ListenerSet',
      { name: 's', namespace: own },
      {
        parentRef: { name: `g${gateway}`, namespace: above },
        listeners: [{ name: 'm', port: 8080, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'All' } } }],
      },
    ),
  ),
);

const backendKinds = [
  { group: '', kind: 'Service', apiVersion: 'v1', spec: { ports: [{ port: 80 }] } },
  {
    group: 'gateway.envoyproxy.io',
    kind: 'Backend',
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    spec: { endpoints: [{ fqdn: { hostname: 'x.example', port: 80 } }] },
  },
  { group: 'store.example.com', kind: 'Bucket', apiVersion: 'store.example.com/v1', spec: {} },
] as const;
const backendKind = fc.constantFrom(...backendKinds, backendKinds[0], backendKinds[0]);

const parent = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: number.map((it) => `g${it}`), namespace }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ListenerSet'), name: fc.constant('s'), namespace }) },
);

const routes = fc
  .array(
    fc.record({
      namespace,
      parents: fc.uniqueArray(parent, { minLength: 1, maxLength: 2, selector: (it) => JSON.stringify(it) }),
      backends: fc.array(fc.record({ of: backendKind, name: number, namespace }), { maxLength: 2 }),
      path: fc.constantFrom('/', '/x'),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) =>
    all.map(({ namespace: own, parents, backends, path }, index) => {
      const backendRefs = backends.map(({ of: { group, kind }, ...to }) => ({
        ...{ group, kind, port: 80 },
        ...{ name: `s${to.name}`, namespace: to.namespace },
      }));
      const rules = [{ name: 'rule', matches: [{ path: { type: 'PathPrefix', value: path } }], backendRefs }];
      const meta = { labels: { app: `r${index % 2}` } };
      return object(
        `${routing}/v1`,
        'HTTPRoute',
        { name: `r${index}`, namespace: own },
        { parentRefs: parents, rules },
        meta,
      );
    }),
  );

const backends = fc
  .uniqueArray(fc.record({ of: backendKind, name: number, namespace }), {
    maxLength: 6,
    selector: ({ of, name, namespace: own }) => `${of.kind} ${own}/${name}`,
  })
  .map((all) =>
    all.map(({ of: { apiVersion, kind, spec }, name, namespace: own }) =>
      object(apiVersion, kind, { name: `s${name}`, namespace: own }, spec),
    ),
  );

const secrets = fc
  .subarray([...namespaces])
  .map((all) => all.map((own) => object('v1', 'Secret', { name: 'cert', namespace: own }, {})));

const grants = fc.subarray([...namespaces]).map((all) =>
  all.map((own) => {
    const other = own === 'a' ? 'b' : 'a';
    const from = [
      ...['HTTPRoute', 'Gateway'].map((kind) => ({ group: routing, kind, namespace: other })),
      { group: 'gateway.envoyproxy.io', kind: 'SecurityPolicy', namespace: other },
    ];
    const to = [
      ...backendKinds.map(({ group, kind }) => ({ group, kind })),
      { group: '', kind: 'Secret' },
      { group: routing, kind: 'HTTPRoute' },
    ];
    return object(`${routing}/v1beta1`, 'ReferenceGrant', { name: 'grant', namespace: own }, { from, to });
  }),
);

/** The kinds of policies, with the kinds of their targets. */
const policyKinds = [
  ['gateway.envoyproxy.io/v1alpha1', 'BackendTrafficPolicy', ['Gateway', 'HTTPRoute', 'ListenerSet']],
  ['gateway.envoyproxy.io/v1alpha1', 'SecurityPolicy', ['Gateway', 'HTTPRoute']],
  ['gateway.envoyproxy.io/v1alpha1', 'ClientTrafficPolicy', ['Gateway', 'ListenerSet']],
  [`${routing}/v1`, 'BackendTLSPolicy', ['Service', 'Backend']],
  ['agentgateway.dev/v1alpha1', 'AgentgatewayPolicy', ['Gateway', 'HTTPRoute', 'Service']],
] as const;

const targetOf = (kind: string, index: string): object => {
  if (kind === 'Service') return { group: '', kind, name: `s${index}` };
  if (kind === 'Backend') return { group: 'gateway.envoyproxy.io', kind, name: `s${index}` };
  return { group: routing, kind, name: { Gateway: `g${index}`, HTTPRoute: `r${index}` }[kind] ?? 's' };
};

const policies = fc
  .array(
    fc.constantFrom(...policyKinds).chain(([apiVersion, kind, targets]) =>
      fc.record({
        ...{ apiVersion: fc.constant(apiVersion), kind: fc.constant(kind), namespace },
        ...{ target: fc.constantFrom(...(targets as readonly string[])), index: number, level: fc.constantFrom(1, 9) },
        selects: fc.constantFrom(false, false, true),
      }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((all) =>
    all.map(({ apiVersion, kind, namespace: own, target, index, level, selects }, place) => {
      const selector = {
        group: routing,
        kind: 'HTTPRoute',
        matchLabels: { app: `r${index}` },
        namespaces: { from: 'All' },
      };
      const targets =
        selects && kind === 'SecurityPolicy'
          ? { targetSelectors: [selector] }
          : { targetRefs: [targetOf(target, index)] };
      return object(apiVersion, kind, { name: `p${place}`, namespace: own }, { ...targets, ...settings[kind](level) });
    }),
  );

const settings: Readonly<Record<(typeof policyKinds)[number][1], (level: number) => object>> = {
  BackendTrafficPolicy: (numRetries) => ({ retry: { numRetries } }),
  SecurityPolicy: (level) => ({ cors: { maxAge: `${level}s` } }),
  ClientTrafficPolicy: (level) => ({ timeout: { http: { requestReceivedTimeout: `${level}s` } } }),
  BackendTLSPolicy: () => ({ validation: { hostname: 'x.example', wellKnownCACertificates: 'System' } }),
  AgentgatewayPolicy: (level) => ({ backend: { tcp: { connectTimeout: `${level}s` } } }),
};

/** The kinds of objects that may be in another repository. */
const elsewhere: ReadonlySet<string> = new Set(['Gateway', 'Service', 'Backend', 'Bucket', 'Secret', 'ReferenceGrant']);

/** Any world, and any part of it that lacks some Gateways, backends, Secrets, grants and created routes. */
export const dividedWorlds: fc.Arbitrary<DividedWorld> = fc
  .tuple(gateways, sets, routes, backends, secrets, grants, policies)
  .map((parts) => uniqueOf(parts.flat()))
  .chain((declared) =>
    fc.tuple(fc.constant(declared), fc.subarray(declared.filter(({ kind }) => kind === 'HTTPRoute'))),
  )
  .chain(([declared, created]) => {
    const whole = [...declared, ...created.map(creatorOf)];
    const movable = [...declared.filter(({ kind }) => elsewhere.has(kind)), ...created];
    return fc.subarray(movable).map((missing) => ({ whole, part: whole.filter((it) => !missing.includes(it)) }));
  });

/** Returns the object for which Envoy AI Gateway creates a route. */
function creatorOf({ metadata, spec }: KubernetesObject): KubernetesObject {
  const { name, namespace: own = '' } = metadata;
  const { parentRefs } = spec as { readonly parentRefs?: unknown };
  return object('aigateway.envoyproxy.io/v1beta1', 'AIGatewayRoute', { name, namespace: own }, { parentRefs });
}

function uniqueOf(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const byName = new Map(objects.map((it) => [`${it.kind} ${it.metadata.namespace}/${it.metadata.name}`, it]));
  return [...byName.values()];
}
