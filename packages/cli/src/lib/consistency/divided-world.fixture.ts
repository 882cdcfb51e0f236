import { isJsonObject, type JsonObject, type KubernetesObject, objectIn, objectsIn } from '@policy-machinery/resource';
import fc from 'fast-check';

/*
 * Random worlds with references between namespaces, and the parts of them that files of one repository contain: without some objects of other
 * repositories, without the routes that controllers create, without ages, with variables in place of texts, and with charts in place of objects.
 * Names are few, so that most references lead somewhere in the whole world.
 */

/** A world, and a part of it. */
export interface DividedWorld {
  readonly whole: readonly KubernetesObject[];
  readonly part: readonly KubernetesObject[];
}

/** Text that a renderer replaces. */
const variable = '${' + 'VALUE}';

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

const classes = fc
  .constantFrom(
    ...['gateway.envoyproxy.io/gatewayclass-controller', 'kgateway.dev/kgateway', 'agentgateway.dev/agentgateway'],
    ...['istio.io/gateway-controller', 'gateway.nginx.org/nginx-gateway-controller', 'traefik.io/gateway-controller'],
    'vendor.example/controller',
  )
  .map((controllerName) => [object(`${routing}/v1`, 'GatewayClass', { name: 'c', namespace: '' }, { controllerName })]);

const ownNamespaces = fc
  .tuple(...namespaces.map(() => fc.constantFrom('x', 'y')))
  .map((teams) =>
    teams.map((team, index) =>
      object('v1', 'Namespace', { name: namespaces[index] ?? '', namespace: '' }, {}, { labels: { team } }),
    ),
  );

const workloads = fc
  .uniqueArray(fc.record({ namespace, app: number }), { maxLength: 2, selector: (it) => JSON.stringify(it) })
  .map((all) =>
    all.map(({ namespace: own, app }) => {
      const labels = { app: `w${app}` };
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
  ['security.istio.io/v1', 'AuthorizationPolicy', ['Gateway', 'Service', 'Workload']],
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

/** What files contain in place of an object, and what the whole world and the files both have beside it. */
interface Omission {
  readonly isOf: (object: KubernetesObject) => boolean;
  readonly written: (object: KubernetesObject) => readonly KubernetesObject[];
  readonly creator?: (object: KubernetesObject) => KubernetesObject;
}

const isRoute = ({ kind }: KubernetesObject): boolean => kind.endsWith('Route');

function isOfKind(...kinds: readonly string[]): Omission['isOf'] {
  return ({ kind }) => kinds.includes(kind);
}

const omissions: readonly Omission[] = [
  { isOf: isOfKind('GatewayClass', 'Gateway', 'Namespace', 'Deployment'), written: () => [] },
  { isOf: isOfKind('Service', 'Backend', 'Bucket', 'Secret', 'ReferenceGrant'), written: () => [] },
  { isOf: isRoute, written: () => [], creator: creatorOf('aigateway.envoyproxy.io/v1beta1', 'AIGatewayRoute') },
  { isOf: isRoute, written: () => [], creator: creatorOf('vendor.example/v1', 'ModelRoute') },
  { isOf: (it) => isRoute(it) || it.kind.endsWith('Policy'), written: () => [chart] },
  { isOf: (it) => isRoute(it) || it.kind.endsWith('Policy'), written: (it) => [withoutAge(it)] },
  { isOf: (it) => isRoute(it) || it.kind === 'Gateway', written: (it) => [withVariables(it)] },
];

const chart = object(
  'helm.toolkit.fluxcd.io/v2',
  'HelmRelease',
  { name: 'chart', namespace: 'a' },
  { chart: {}, values: { route: { enabled: true } } },
);

/** Any world, and any part of it. */
export const dividedWorlds: fc.Arbitrary<DividedWorld> = fc
  .tuple(classes, ownNamespaces, gateways, sets, routes, backends, secrets, grants, workloads, policies)
  .chain((parts) => {
    const declared = uniqueOf(parts.flat());
    return fc.constantFrom(declared, closed(declared), closed(declared));
  })
  .chain((declared) => {
    const possible = declared.flatMap((of) =>
      omissions.filter(({ isOf }) => isOf(of)).map((omission) => ({ of, omission })),
    );
    const chosen = fc.uniqueArray(fc.constantFrom(...possible), {
      minLength: 1,
      maxLength: 3,
      selector: ({ of }) => of,
    });
    return chosen.map((all) => divide(declared, new Map(all.map(({ of, omission }) => [of, omission]))));
  });

/** Returns objects without their references to objects that are not among them. */
function closed(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const names = new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`));
  return objects.flatMap((of) => {
    const exists = ({ kind = 'Gateway', name, namespace: other = of.metadata.namespace }: JsonObject): boolean =>
      names.has(`${kind} ${other}/${name}`);
    const { parentRefs, rules, targetRefs, ...spec } = objectIn(of.spec);
    const [only] = [spec.targetRef, spec.parentRef].filter((it) => isJsonObject(it));
    if (only !== undefined && !exists(only)) return [];
    const existing = (refs: unknown): readonly JsonObject[] => objectsIn(refs).filter(exists);
    const left = {
      ...(parentRefs !== undefined && { parentRefs: existing(parentRefs) }),
      ...(targetRefs !== undefined && { targetRefs: existing(targetRefs) }),
      ...(isRoute(of) && {
        rules: objectsIn(rules).map((rule) => ({ ...rule, backendRefs: existing(rule.backendRefs) })),
      }),
    };
    return [{ ...of, spec: { ...(rules !== undefined && { rules }), ...spec, ...left } } as KubernetesObject];
  });
}

function divide(declared: readonly KubernetesObject[], omitted: ReadonlyMap<KubernetesObject, Omission>): DividedWorld {
  const creating = [...omitted].flatMap(([of, { creator }]) => creator?.(of) ?? []);
  const written = declared.flatMap((it) => omitted.get(it)?.written(it) ?? [it]);
  return { whole: [...declared, ...creating], part: uniqueOf([...written, ...creating]) };
}

/** Returns an object as a person writes it. */
function withoutAge({ metadata, ...others }: KubernetesObject): KubernetesObject {
  const { creationTimestamp, ...named } = metadata;
  return { ...others, metadata: named } as KubernetesObject;
}

/** Returns an object with variables in place of its hostnames. */
function withVariables(of: KubernetesObject): KubernetesObject {
  const spec = objectIn(of.spec);
  const listeners = objectsIn(spec.listeners).map((it) => ({ ...it, hostname: variable }));
  const changed = listeners.length > 0 ? { listeners } : { hostnames: [variable] };
  return { ...of, spec: { ...spec, ...changed } } as KubernetesObject;
}

/** Returns a function that returns the object for which a controller creates a route. */
function creatorOf(apiVersion: string, kind: string): (route: KubernetesObject) => KubernetesObject {
  return ({ metadata: { name, namespace: own = '' }, spec }) =>
    object(apiVersion, kind, { name, namespace: own }, { parentRefs: objectIn(spec).parentRefs });
}

function uniqueOf(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const byName = new Map(objects.map((it) => [`${it.kind} ${it.metadata.namespace}/${it.metadata.name}`, it]));
  return [...byName.values()];
}
