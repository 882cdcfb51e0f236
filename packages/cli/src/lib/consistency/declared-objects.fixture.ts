import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';

/* Random objects with references between namespaces. Names are few, so that most references lead somewhere. */

const routing = 'gateway.networking.k8s.io';
const namespaces = ['a', 'b'] as const;
const namespace = fc.constantFrom(...namespaces);
const number = fc.constantFrom('0', '1');

/** Returns an object with a creation time. `more` is added to its metadata. */
export function object(
  apiVersion: string,
  kind: string,
  { name, namespace: own }: { readonly name: string; readonly namespace: string },
  spec: object,
  more: object = {},
): KubernetesObject {
  const metadata = { name, ...(own !== '' && { namespace: own }), creationTimestamp: '2026-01-01T00:00:00Z', ...more };
  return { apiVersion, kind, metadata, spec } as unknown as KubernetesObject;
}

const gateways = fc
  .array(
    fc.record({
      namespace,
      from: fc.constantFrom('All', 'All', 'Same', 'None', 'Selector'),
      hostname: fc.constantFrom(undefined, undefined, 'a.example'),
      secret: fc.constantFrom(undefined, 'a', 'b'),
      sets: fc.constantFrom('All', 'Same', undefined),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) =>
    all.map(({ namespace: own, from, hostname, secret, sets }, index) => {
      const selector = from === 'Selector' && { selector: { matchLabels: { team: 'x' } } };
      const allowedRoutes = { namespaces: { from, ...selector } };
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

const age = fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z');

const routes = fc
  .array(
    fc.record({
      ...{ namespace, age, kind: fc.constantFrom('HTTPRoute', 'HTTPRoute', 'HTTPRoute', 'GRPCRoute') },
      hostname: fc.constantFrom(undefined, undefined, 'a.example', '*.example'),
      parents: fc.uniqueArray(parent, { minLength: 1, maxLength: 2, selector: (it) => JSON.stringify(it) }),
      backends: fc.array(fc.record({ of: backendKind, name: number, namespace }), { maxLength: 2 }),
      path: fc.constantFrom('/', '/x'),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) =>
    all.map(({ namespace: own, age: creationTimestamp, kind, hostname, parents, backends, path }, index) => {
      const backendRefs = backends.map(({ of: { group, kind }, ...to }) => ({
        ...{ group, kind, port: 80 },
        ...{ name: `s${to.name}`, namespace: to.namespace },
      }));
      const match = kind === 'HTTPRoute' ? { path: { type: 'PathPrefix', value: path } } : { method: { service: 's' } };
      const rules = [{ name: 'rule', matches: [match], backendRefs }];
      const meta = { labels: { app: `r${index % 2}` }, creationTimestamp };
      const hostnames = hostname && { hostnames: [hostname] };
      const spec = { parentRefs: parents, ...hostnames, rules };
      return object(`${routing}/v1`, kind, { name: `r${index}`, namespace: own }, spec, meta);
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

const controllers = fc.constantFrom(
  ...['gateway.envoyproxy.io/gatewayclass-controller', 'kgateway.dev/kgateway', 'agentgateway.dev/agentgateway'],
  ...['istio.io/gateway-controller', 'gateway.nginx.org/nginx-gateway-controller', 'traefik.io/gateway-controller'],
  'vendor.example/controller',
);

/** A class with Gateways that may share proxies. */
const classes = fc
  .record({ controllerName: controllers, mergeGateways: fc.constantFrom(undefined, undefined, true, false) })
  .map(({ controllerName, mergeGateways }) => {
    const proxy = { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: 'proxy', namespace: 'a' };
    const spec = { controllerName, ...(mergeGateways !== undefined && { parametersRef: proxy }) };
    return [
      object(`${routing}/v1`, 'GatewayClass', { name: 'c', namespace: '' }, spec),
      ...(mergeGateways === undefined ? [] : [object(`${proxy.group}/v1alpha1`, proxy.kind, proxy, { mergeGateways })]),
    ];
  });

const ownNamespaces = fc
  .tuple(...namespaces.map(() => fc.constantFrom('x', 'y')))
  .map((teams) =>
    teams.map((team, index) =>
      object('v1', 'Namespace', { name: namespaces[index] ?? '', namespace: '' }, {}, { labels: { team } }),
    ),
  );

const workloads = fc
  .uniqueArray(fc.record({ namespace, app: number, isProxy: fc.boolean() }), {
    maxLength: 2,
    selector: ({ namespace: own, app }) => own + app,
  })
  .map((all) =>
    all.map(({ namespace: own, app, isProxy }) => {
      const labels = { app: `w${app}`, ...(isProxy && { [`${routing}/gateway-name`]: `g${app}` }) };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const spec = { selector: { matchLabels: labels }, template };
      return object('apps/v1', 'Deployment', { name: `w${app}`, namespace: own }, spec);
    }),
  );

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
  ['gateway.kgateway.dev/v1alpha1', 'TrafficPolicy', ['Gateway', 'HTTPRoute', 'ListenerSet']],
  ['kuadrant.io/v1', 'AuthPolicy', ['Gateway', 'HTTPRoute']],
  ['gateway.nginx.org/v1alpha1', 'ClientSettingsPolicy', ['Gateway', 'HTTPRoute', 'GRPCRoute']],
  ['security.istio.io/v1', 'AuthorizationPolicy', ['Gateway', 'Service', 'Workload', 'Proxy', 'Namespace']],
] as const;

const targetOf = (kind: string, index: string): object => {
  if (kind === 'Service') return { group: '', kind, name: `s${index}` };
  if (kind === 'Backend') return { group: 'gateway.envoyproxy.io', kind, name: `s${index}` };
  const names: Readonly<Record<string, string>> = {
    Gateway: `g${index}`,
    HTTPRoute: `r${index}`,
    GRPCRoute: `r${index}`,
  };
  return { group: routing, kind, name: names[kind] ?? 's' };
};

const policies = fc
  .array(
    fc.constantFrom(...policyKinds).chain(([apiVersion, kind, targets]) =>
      fc.record({
        ...{ apiVersion: fc.constant(apiVersion), kind: fc.constant(kind), namespace },
        ...{ target: fc.constantFrom(...(targets as readonly string[])), index: number, level: fc.constantFrom(1, 9) },
        ...{ selects: fc.constantFrom(false, false, true), age },
      }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((all) =>
    all.map(({ apiVersion, kind, namespace: own, target, index, level, selects, age: creationTimestamp }, place) => {
      const selector = {
        group: routing,
        kind: 'HTTPRoute',
        matchLabels: { app: `r${index}` },
        namespaces: { from: 'All' },
      };
      const spec = { ...targetsOf(), ...settings[kind](level) };
      return object(apiVersion, kind, { name: `p${place}`, namespace: own }, spec, { creationTimestamp });

      function targetsOf(): object {
        if (selects && kind === 'SecurityPolicy') return { targetSelectors: [selector] };
        if (target === 'Namespace') return {};
        if (target === 'Proxy') return { selector: { matchLabels: { [`${routing}/gateway-name`]: `g${index}` } } };
        if (target === 'Workload') return { selector: { matchLabels: { app: `w${index}` } } };
        if (kind === 'AuthPolicy' || kind === 'ClientSettingsPolicy') return { targetRef: targetOf(target, index) };
        return { targetRefs: [targetOf(target, index)] };
      }
    }),
  );

const settings: Readonly<Record<(typeof policyKinds)[number][1], (level: number) => object>> = {
  BackendTrafficPolicy: (numRetries) => ({ retry: { numRetries } }),
  SecurityPolicy: (level) => ({ cors: { maxAge: `${level}s` } }),
  ClientTrafficPolicy: (level) => ({ timeout: { http: { requestReceivedTimeout: `${level}s` } } }),
  BackendTLSPolicy: () => ({ validation: { hostname: 'x.example', wellKnownCACertificates: 'System' } }),
  AgentgatewayPolicy: (level) => ({ backend: { tcp: { connectTimeout: `${level}s` } } }),
  TrafficPolicy: (numRetries) => ({ retry: { attempts: numRetries } }),
  AuthPolicy: (level) => ({ rules: { authentication: { [`r${level}`]: { anonymous: {} } } } }),
  ClientSettingsPolicy: (level) => ({ body: { maxSize: `${level}m` } }),
  AuthorizationPolicy: (level) => ({ rules: [{ to: [{ operation: { ports: [`${level}`] } }] }] }),
};

/** The objects of any world, each kind by itself. Some of them have the same name. */
export const declaredObjects: fc.Arbitrary<readonly KubernetesObject[]> = fc
  .tuple(classes, ownNamespaces, gateways, sets, routes, backends, secrets, grants, workloads, policies)
  .map((parts) => parts.flat());
