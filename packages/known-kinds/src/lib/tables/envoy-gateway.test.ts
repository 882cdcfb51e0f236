import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { gateway, namespace, object, ref, route, worldOf } from './world.fixture.ts';

const eg = 'gateway.envoyproxy.io/v1alpha1';
const traffic = (path: string, spec: object, age = 0) => object(`${eg} BackendTrafficPolicy`, path, spec, { age });
const onGateway = { targetRefs: [ref('Gateway', 'g')] };
const onRoute = { targetRefs: [ref('HTTPRoute', 'r')] };
const base = [gateway('a/g'), route('a/r')];
const main = 'HTTPRoute a/r#main';

// As in envoypatchpolicy.go.
describe('patches of Envoy Gateway', () => {
  const [group, envoy] = ['gateway.networking.k8s.io', 'gateway.envoyproxy.io'];
  const parameters = { group: envoy, kind: 'EnvoyProxy', namespace: 'system', name: 'shared' };
  const gatewayClass = (parametersRef?: object) =>
    object(`${group}/v1 GatewayClass`, 'c', { controllerName: `${envoy}/gatewayclass-controller`, parametersRef });
  const proxy = (mergeGateways?: boolean) => object(`${envoy}/v1alpha1 EnvoyProxy`, 'system/shared', { mergeGateways });
  const patch = (name: string, kind: string, target: string) =>
    object(`${envoy}/v1alpha1 EnvoyPatchPolicy`, `a/${name}`, { targetRef: ref(kind, target), priority: 1 });
  const both = [gateway('a/g'), patch('p', 'GatewayClass', 'c'), patch('q', 'Gateway', 'g')];
  const perGateway = { 'a/p': 'invalid', 'a/q': 'enforced' };
  const perClass = { 'a/p': 'enforced', 'a/q': 'invalid' };

  it.each<[string, readonly KubernetesObject[], Record<string, string>]>([
    ['each Gateway, by default', [gatewayClass()], perGateway],
    [
      'each Gateway, if its class has other parameters',
      [gatewayClass({ ...parameters, kind: 'Other' }), proxy(true)],
      perGateway,
    ],
    ['each Gateway, if Gateways are not merged', [gatewayClass(parameters), proxy(false)], perGateway],
    ['each Gateway, without the parameters of its class', [gatewayClass(parameters)], perGateway],
    ['the class of merged Gateways', [gatewayClass(parameters), proxy(true)], perClass],
  ])('are for %s', (_, above, expected) => {
    expect(worldOf(...above, ...both).outcomes).toEqual(expected);
  });

  it('are reported with the target that has an effect', () => {
    const messages = (...above: readonly KubernetesObject[]) =>
      worldOf(...above, ...both).issues.map(({ code, message }) => `${code}: ${message}`);
    expect([...messages(gatewayClass()), ...messages(gatewayClass(parameters), proxy(true))]).toEqual([
      'unsupported-target: targets GatewayClass c, whose Gateways are not merged; target a Gateway, or set mergeGateways in the EnvoyProxy of the class',
      'unsupported-target: targets Gateway a/g, which is merged with the other Gateways of its class; target the GatewayClass c',
    ]);
  });
});

// As in validatePortOverlapForClientTrafficPolicy of clienttrafficpolicy.go.
describe('ClientTrafficPolicies of one listener', () => {
  const routing = 'gateway.networking.k8s.io/v1';
  const listener = (name: string, port: number, protocol = 'HTTP') => ({ name, port, protocol });
  const allowedListeners = { namespaces: { from: 'Same' } };
  const edge = (...listeners: readonly object[]) =>
    object(`${routing} Gateway`, 'a/g', { gatewayClassName: 'c', allowedListeners, listeners });
  const below = (...listeners: readonly object[]) =>
    object(`${routing} ListenerSet`, 'a/s', { parentRef: { name: 'g' }, listeners });
  const client = (kind: string, name: string, sectionName?: string) =>
    object(`${eg} ClientTrafficPolicy`, 'a/p', {
      targetRefs: [{ ...ref(kind, name), ...(sectionName && { sectionName }) }],
      timeout: { http: { requestReceivedTimeout: '1s' } },
    });
  const web = listener('web', 80);
  const envoy = 'gateway.envoyproxy.io';
  const parametersRef = { group: envoy, kind: 'EnvoyProxy', namespace: 'a', name: 'proxy' };
  const shared = [
    object(`${routing} GatewayClass`, 'c', { controllerName: `${envoy}/gatewayclass-controller`, parametersRef }),
    object(`${routing} Gateway`, 'a/h', { gatewayClassName: 'c', listeners: [web] }),
  ];
  const proxy = (mergeGateways: boolean) => object(`${envoy}/v1alpha1 EnvoyProxy`, 'a/proxy', { mergeGateways });

  it.each<[string, readonly KubernetesObject[], string]>([
    ['the only listener of the port', [edge(web, listener('b', 81)), client('Gateway', 'g', 'web')], 'enforced'],
    ['an HTTP listener beside another one', [edge(web, listener('b', 80)), client('Gateway', 'g', 'web')], 'invalid'],
    ['an HTTPS listener', [edge(web, listener('b', 80, 'HTTPS')), client('Gateway', 'g', 'b')], 'enforced'],
    ['all listeners', [edge(web, listener('b', 80)), client('Gateway', 'g')], 'enforced'],
    [
      'a listener of a ListenerSet',
      [edge(listener('b', 81)), below(web), client('ListenerSet', 's', 'web')],
      'enforced',
    ],
    [
      'one with a port of the Gateway',
      [edge(listener('b', 80)), below(web), client('ListenerSet', 's', 'web')],
      'invalid',
    ],
    [
      'a listener beside one of a ListenerSet',
      [edge(web), below(listener('b', 80)), client('Gateway', 'g', 'web')],
      'invalid',
    ],
    ['all listeners of a Gateway with such a ListenerSet', [edge(web), below(web), client('Gateway', 'g')], 'enforced'],
    [
      'all of a ListenerSet with a port of the Gateway',
      [edge(listener('b', 80)), below(web), client('ListenerSet', 's')],
      'invalid',
    ],
    [
      'some of a ListenerSet with a port of the Gateway',
      [edge(listener('b', 80)), below(web, listener('c', 81)), client('ListenerSet', 's')],
      'undecided',
    ],
    [
      'of one of two Gateways with a port in common',
      [...shared, proxy(true), edge(web), client('Gateway', 'g')],
      'undecided',
    ],
    [
      'of one of two Gateways that are not merged',
      [...shared, proxy(false), edge(web), client('Gateway', 'g')],
      'enforced',
    ],
  ])('that is %s', (_, objects, outcome) => {
    expect(worldOf(...objects).outcomes).toEqual({ 'a/p': outcome });
  });

  it('are reported with the other listener', () => {
    const { issues } = worldOf(
      edge(web, { ...listener('b', 80), hostname: 'b.example' }),
      client('Gateway', 'g', 'web'),
    );
    expect(issues.map(({ message }) => message)).toEqual([
      'targets Gateway a/g#web, which shares port 80 with the HTTP listener b; target the Gateway or ListenerSet as a whole',
    ]);
  });
});

describe('targets of Envoy Gateway', () => {
  const targetSelectors = [
    {
      kind: 'HTTPRoute',
      matchLabels: { app: 'x' },
      namespaces: { from: 'Selector', selector: { matchLabels: { team: 'blue' } } },
    },
  ];
  const grantIn = (where: string, kind: string) =>
    object('gateway.networking.k8s.io/v1beta1 ReferenceGrant', `${where}/g`, {
      from: [{ group: 'gateway.envoyproxy.io', kind, namespace: 'pol' }],
      to: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' }],
    });
  const labels = { app: 'x' };
  const world = [
    namespace('pol'),
    namespace('b', { team: 'blue' }),
    namespace('red', { team: 'red' }),
    gateway('a/g'),
    route('b/r', undefined, { labels }),
    route('red/r', undefined, { labels }),
  ];

  it.each([
    ['BackendTrafficPolicy', { retry: { numRetries: 1 } }],
    ['SecurityPolicy', { cors: { allowOrigins: ['https://one.example'] } }],
    ['EnvoyExtensionPolicy', { lua: [{ type: 'Inline', inline: 'x' }] }],
  ])('selects across namespaces with a ReferenceGrant: %s', (kind, spec) => {
    const policy = object(`${eg} ${kind}`, 'pol/p', { targetSelectors, ...spec });
    const granted = worldOf(...world, policy, grantIn('b', kind), grantIn('red', kind));
    expect(granted.specs).toEqual({ 'HTTPRoute b/r#main': spec });
    expect(granted.outcomes).toEqual({ 'pol/p': 'enforced' });
    expect(granted.ancestors).toEqual({ 'pol/p': ['Gateway a/g'] });
    expect(worldOf(...world, policy, grantIn('red', kind)).specs).toEqual({});
  });

  it('selects Gateways across namespaces for ClientTrafficPolicy, too', () => {
    const policy = object(`${eg} ClientTrafficPolicy`, 'pol/p', {
      targetSelectors: [{ kind: 'Gateway', namespaces: { from: 'All' } }],
      tcpKeepalive: {},
    });
    const grant = object('gateway.networking.k8s.io/v1beta1 ReferenceGrant', 'a/g', {
      from: [{ group: 'gateway.envoyproxy.io', kind: 'ClientTrafficPolicy', namespace: 'pol' }],
      to: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway' }],
    });
    expect(worldOf(gateway('a/g'), policy, grant).specs).toEqual({ 'Gateway a/g#http': { tcpKeepalive: {} } });
  });

  it('does not limit targets or selectors, and lets a policy name a target twice', () => {
    const names = Array.from({ length: 40 }, (_, index) => `r${index}`);
    const routes = names.map((name) => route(`a/${name}`, undefined, { labels: { name } }));
    const retry = { numRetries: 1 };
    const refs = [...names, ...names].map((name) => ref('HTTPRoute', name));
    const selectors = names.map((name) => ({ kind: 'HTTPRoute', matchLabels: { name } }));
    for (const targets of [{ targetRefs: refs }, { targetSelectors: selectors }]) {
      const { specs, outcomes } = worldOf(gateway('a/g'), ...routes, traffic('a/p', { ...targets, retry }));
      expect(Object.keys(specs)).toHaveLength(40);
      expect(outcomes).toEqual({ 'a/p': 'enforced' });
    }
  });

  it('lets a policy name a route and one of its rules', () => {
    const targetRefs = [ref('HTTPRoute', 'r'), ref('HTTPRoute', 'r', { sectionName: 'main' })];
    const { specs, outcomes } = worldOf(...base, traffic('a/p', { targetRefs, retry: { numRetries: 1 } }));
    expect(specs).toEqual({ [main]: { retry: { numRetries: 1 } } });
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
  });
});

describe('fields of Envoy Gateway that say nothing', () => {
  const parent = { retry: { numRetries: 5, retryOn: { triggers: ['reset'] } } };
  const rest = { timeout: { tcp: { connectTimeout: '2s' } } };

  it.each([
    ['null', { retry: null }],
    ['null inside', { retry: { numRetries: null, retryOn: { triggers: null } } }],
    ['an empty list', { retry: { retryOn: { triggers: [] } } }],
  ])('%s does not unset inherited fields', (_what, child) => {
    for (const mergeType of ['StrategicMerge', 'JSONMerge']) {
      const { specs } = worldOf(
        ...base,
        traffic('a/p', { ...onGateway, ...parent }),
        traffic('a/c', { ...onRoute, mergeType, ...rest, ...child }, 1),
      );
      expect(specs[main]).toEqual({ ...parent, ...rest });
    }
  });
});

describe('rate limits of Envoy Gateway', () => {
  const rule = (requests: number, more: object = {}) => ({ limit: { requests, unit: 'Second' }, ...more });
  const users = { clientSelectors: [{ headers: [{ name: 'x-user' }] }] };
  const limits = (where: 'global' | 'local', ...rules: readonly object[]) => ({ rateLimit: { [where]: { rules } } });
  const merged = (mergeType: string, parent: object, child: object) =>
    worldOf(
      ...base,
      traffic('a/p', { ...onGateway, ...parent }),
      traffic('a/c', { ...onRoute, mergeType, ...child }, 1),
    );

  it("joins the rules of parent and child under StrategicMerge, the child's first", () => {
    const { specs, outcomes, effective } = merged(
      'StrategicMerge',
      limits('global', rule(100)),
      limits('global', rule(5)),
    );
    expect(specs).toEqual({ [main]: limits('global', rule(5), rule(100)) });
    expect(outcomes).toEqual({ 'a/c': 'enforced', 'a/p': 'enforced' });
    expect(effective[0]?.originsOf('/rateLimit/global/rules').map(({ policy }) => policy.name)).toEqual(['a/c', 'a/p']);
  });

  it.each([
    ['Global', 'enforced'],
    ['Local', 'partly-enforced'],
  ])('shares the type if both have the same: Global and %s', (type, outcome) => {
    const typed = (of: string, count: number) => ({ rateLimit: { type: of, global: { rules: [rule(count)] } } });
    const { specs, outcomes } = merged('StrategicMerge', typed('Global', 100), typed(type, 5));
    expect(specs).toEqual({ [main]: { rateLimit: { type, global: { rules: [rule(5), rule(100)] } } } });
    expect(outcomes).toEqual({ 'a/c': 'enforced', 'a/p': outcome });
  });

  it("joins local rules, too, but has one rule for all clients: the child's", () => {
    const parent = limits('local', rule(100), rule(50, users));
    expect(merged('StrategicMerge', parent, limits('local', rule(5, users))).specs).toEqual({
      [main]: limits('local', rule(5, users), rule(50, users)),
    });
    expect(merged('StrategicMerge', parent, limits('local', rule(5))).specs).toEqual({
      [main]: limits('local', rule(5), rule(50, users)),
    });
  });

  it('keeps the rules of the parent if the child has none', () => {
    const parent = limits('global', rule(100));
    expect(merged('StrategicMerge', parent, { retry: { numRetries: 1 } }).specs).toEqual({
      [main]: { ...parent, retry: { numRetries: 1 } },
    });
  });

  it('replaces the rules under JSONMerge, as RFC 7396 does with lists', () => {
    const { specs, outcomes } = merged('JSONMerge', limits('global', rule(100)), limits('global', rule(5)));
    expect(specs).toEqual({ [main]: limits('global', rule(5)) });
    expect(outcomes).toEqual({ 'a/c': 'enforced', 'a/p': 'overridden' });
  });
});

describe('lists of Envoy Gateway with named items', () => {
  it.each([
    ['BackendTrafficPolicy', ['compression'], 'type'],
    ['BackendTrafficPolicy', ['compressor'], 'type'],
    ['BackendTrafficPolicy', ['httpUpgrade'], 'type'],
    ['SecurityPolicy', ['extAuth', 'contextExtensions'], 'name'],
  ])('are joined item by item under StrategicMerge: %s %j', (kind, path, name) => {
    const at = (list: readonly object[]) =>
      path.reduceRight<unknown>((value, key) => ({ [key]: value }), list) as object;
    const policy = (to: string, target: object, list: readonly object[], more: object = {}) =>
      object(`${eg} ${kind}`, to, { ...target, ...at(list), ...more });
    const { specs } = worldOf(
      ...base,
      policy('a/p', onGateway, [{ [name]: 'x', a: 1 }, { [name]: 'y' }]),
      policy('a/c', onRoute, [{ [name]: 'x', b: 2 }, { [name]: 'z' }], { mergeType: 'StrategicMerge' }),
    );
    expect(specs[main]).toEqual(at([{ [name]: 'x', a: 1, b: 2 }, { [name]: 'z' }, { [name]: 'y' }]));
  });
});

// As in backendtrafficpolicy.go and clienttrafficpolicy.go.
describe('references of one policy of Envoy Gateway to a Gateway and to its listener', () => {
  const whole = ref('Gateway', 'g');
  const listener = ref('Gateway', 'g', { sectionName: 'http' });
  const limit = (requests: number) => ({
    rateLimit: { type: 'Global', global: { rules: [{ limit: { requests, unit: 'Hour' } }] } },
  });

  it('apply once, also where rules are joined', () => {
    const above = traffic('a/p', { targetRefs: [whole, listener], ...limit(1) });
    const below = traffic('a/q', { ...onRoute, mergeType: 'StrategicMerge', ...limit(2) });
    const { specs, issues } = worldOf(...base, above, below);
    const rules = [...limit(2).rateLimit.global.rules, ...limit(1).rateLimit.global.rules];
    expect(Object.values(specs)).toEqual([{ rateLimit: { type: 'Global', global: { rules } } }]);
    expect(issues).toEqual([]);
  });

  it('are in conflict with items of an older policy, and with themselves if repeated', () => {
    const client = (name: string, targetRefs: readonly object[], probes: number) =>
      object(`${eg} ClientTrafficPolicy`, `a/${name}`, { targetRefs, tcpKeepalive: { probes } }, { age: probes });
    const { outcomes, issues } = worldOf(
      ...base,
      client('p', [whole, listener, listener], 1),
      client('q', [listener, whole], 2),
    );
    expect(outcomes).toEqual({ 'a/p': 'enforced', 'a/q': 'conflicted' });
    expect(issues).toMatchObject([{ severity: 'warning', pointer: '/spec/targetRefs/2' }]);
  });
});

describe("a route's own values, which stand above policies of Envoy Gateway", () => {
  const timeout = { http: { requestTimeout: '1s', connectionIdleTimeout: '9s' } };
  const retry = { numRetries: 2, retryOn: { triggers: ['5xx'] } };
  const policy = traffic('a/p', { ...onGateway, timeout, retry });
  const http = (requestTimeout: string) => ({ http: { requestTimeout, connectionIdleTimeout: '9s' } });
  const specsOf = (rules: readonly object[]) => worldOf(gateway('a/g'), route('a/r', rules), policy);

  it('prevails with the timeout of a rule', () => {
    const { specs, outcomes, effective } = specsOf([{ name: 'x', timeouts: { request: '44s' } }, { name: 'y' }]);
    expect(specs).toEqual({
      'HTTPRoute a/r#x': { timeout: http('44s'), retry },
      'HTTPRoute a/r#y': { timeout, retry },
    });
    expect(outcomes).toEqual({ 'a/p': 'partly-enforced' });
    const x = effective.find(({ target }) => target.section?.name === 'x');
    expect(x?.originOf('/timeout/http/requestTimeout')?.policy.locator).toContain('httproute');
  });

  it('takes the timeout to the backend without retries, and counts it per try with them', () => {
    const timeouts = { request: '44s', backendRequest: '7s' };
    expect(specsOf([{ name: 'main', timeouts }]).specs).toEqual({ [main]: { timeout: http('7s'), retry } });
    expect(specsOf([{ name: 'main', timeouts, retry: { attempts: 4 } }]).specs).toEqual({
      [main]: { timeout: http('44s'), retry: { numRetries: 4, perRetry: { timeout: '7s' } } },
    });
  });

  it('replaces all of the retries', () => {
    const own = { attempts: 4, backoff: '1s', codes: [503] };
    expect(specsOf([{ name: 'main', retry: own }]).specs).toEqual({
      [main]: {
        timeout,
        retry: {
          numRetries: 4,
          perRetry: { backOff: { baseInterval: '1s' } },
          retryOn: { httpStatusCodes: [503] },
        },
      },
    });
  });

  it('replaces cross-origin rules of a SecurityPolicy by the filter of a rule', () => {
    const filters = [{ type: 'CORS', cors: { allowOrigins: ['https://own.example'], maxAge: 10 } }];
    const cors = { allowOrigins: ['https://one.example'], allowHeaders: ['x'] };
    const security = object(`${eg} SecurityPolicy`, 'a/p', { ...onGateway, cors });
    const { specs } = worldOf(gateway('a/g'), route('a/r', [{ name: 'main', filters }]), security);
    expect(specs).toEqual({ [main]: { cors: { allowOrigins: ['https://own.example'], maxAge: '10s' } } });
  });
});

describe('BackendTLSPolicy on backends of Envoy Gateway', () => {
  const tls = (targetRef: object) =>
    object('gateway.networking.k8s.io/v1 BackendTLSPolicy', 'a/p', {
      targetRefs: [targetRef],
      validation: { hostname: 'x.example' },
    });
  const toBackend = (backendRef: object) => route('a/r', [{ name: 'main', backendRefs: [backendRef] }]);
  const endpoints = [{ fqdn: { hostname: 'x.example', port: 443 } }, { ip: { address: '1.2.3.4', port: 3001 } }];
  const backend = { group: 'gateway.envoyproxy.io', kind: 'Backend', name: 'b' };
  const service = { group: 'multicluster.x-k8s.io', kind: 'ServiceImport', name: 'i' };
  const world = [
    gateway('a/g'),
    object(`${eg} Backend`, 'a/b', { endpoints }),
    object('multicluster.x-k8s.io/v1alpha1 ServiceImport', 'a/i', { ports: [{ name: 'web', port: 80 }] }),
  ];

  it.each([
    ['a port of a Backend', { ...backend, sectionName: '443' }, { ...backend, port: 443 }, ['Backend a/b#443']],
    ['another port', { ...backend, sectionName: '3001' }, { ...backend, port: 3001 }, ['Backend a/b#3001']],
    ['a Backend', backend, backend, ['Backend a/b', 'Backend a/b#443', 'Backend a/b#3001']],
    [
      'a port of a ServiceImport',
      { ...service, sectionName: 'web' },
      { ...service, port: 80 },
      ['ServiceImport a/i#web'],
    ],
  ])('is in force on %s', (_, targetRef, backendRef, targets) => {
    const { specs, outcomes } = worldOf(...world, toBackend(backendRef), tls(targetRef));
    expect(Object.keys(specs)).toEqual(targets);
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
  });

  it('is in force on a Backend that resolves hosts itself', () => {
    const dynamic = object(`${eg} Backend`, 'a/b', { type: 'DynamicResolver' });
    const { outcomes } = worldOf(gateway('a/g'), dynamic, toBackend(backend), tls(backend));
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
  });
});
