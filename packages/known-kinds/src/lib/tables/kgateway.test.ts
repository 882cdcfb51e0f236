import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { gateway, object, ref, route, worldOf } from './world.fixture.ts';

const kgateway = 'gateway.kgateway.dev/v1alpha1';
const traffic = (name: string, spec: object, age = 0) =>
  object(`${kgateway} TrafficPolicy`, `a/${name}`, spec, { age });
const onGateway = { targetRefs: [ref('Gateway', 'g')] };
const onRoute = { targetRefs: [ref('HTTPRoute', 'r')] };
const main = 'HTTPRoute a/r#main';

function gatewayWith(priority: string): KubernetesObject {
  const plain = gateway('a/g');
  return {
    ...plain,
    metadata: { ...plain.metadata, annotations: { 'kgateway.dev/inherited-policy-priority': priority } },
  };
}

// As in TestMergeHttpACL of pkg/kgateway/extensions2/plugins/trafficpolicy.
describe('ACLs of kgateway', () => {
  const acl = (cidr: string, more: object = {}) => ({
    acl: { defaultAction: 'deny', rules: [{ cidrs: [cidr], action: 'allow' }], ...more },
  });
  const rulesIn = (spec: unknown) =>
    (spec as { readonly acl: { readonly rules: readonly { readonly cidrs: readonly string[] }[] } }).acl.rules.map(
      ({ cidrs }) => cidrs[0],
    );

  it('are joined among policies on one route, the prevailing rules first', () => {
    const { specs, outcomes } = worldOf(
      gateway('a/g'),
      route('a/r'),
      traffic('old', { ...onRoute, ...acl('10.0.0.0/8') }),
      traffic('new', { ...onRoute, ...acl('192.168.0.0/16') }, 1),
    );
    expect(rulesIn(specs[main])).toEqual(['10.0.0.0/8', '192.168.0.0/16']);
    expect(outcomes).toEqual({ 'a/old': 'enforced', 'a/new': 'enforced' });
  });

  it.each([
    [undefined, ['10.0.0.0/8']],
    ['ShallowMergePreferParent', ['192.168.0.0/16']],
    ['DeepMergePreferChild', ['10.0.0.0/8', '192.168.0.0/16']],
    ['DeepMergePreferParent', ['192.168.0.0/16', '10.0.0.0/8']],
  ])("are joined with the Gateway's by deep merges: %s", (priority, expected) => {
    const { specs } = worldOf(
      priority === undefined ? gateway('a/g') : gatewayWith(priority),
      route('a/r'),
      traffic('g', { ...onGateway, ...acl('192.168.0.0/16') }),
      traffic('r', { ...onRoute, ...acl('10.0.0.0/8') }, 1),
    );
    expect(rulesIn(specs[main])).toEqual(expected);
  });

  it.each<[string, object, object]>([
    ['the default action', {}, { defaultAction: 'allow' }],
    ['the status', { denyResponse: { statusCode: 403 } }, { denyResponse: { statusCode: 451 } }],
  ])('stand alone if they disagree about %s', (_, one, other) => {
    const { specs } = worldOf(
      gateway('a/g'),
      route('a/r'),
      traffic('old', { ...onRoute, ...acl('10.0.0.0/8', one) }),
      traffic('new', { ...onRoute, ...acl('192.168.0.0/16', other) }, 1),
    );
    expect(rulesIn(specs[main])).toEqual(['10.0.0.0/8']);
  });

  it('answer with the headers and the fields of both', () => {
    const headers = (name: string) => [{ name, value: '1' }];
    const { specs } = worldOf(
      gateway('a/g'),
      route('a/r'),
      traffic('old', {
        ...onRoute,
        acl: { defaultAction: 'deny', denyResponse: { statusCode: 403, headers: headers('x-a') } },
      }),
      traffic(
        'new',
        {
          ...onRoute,
          acl: { defaultAction: 'deny', denyResponse: { headers: headers('x-b'), blockedByHeaderName: 'x-by' } },
        },
        1,
      ),
    );
    expect(specs[main]).toMatchObject({
      acl: {
        denyResponse: { statusCode: 403, blockedByHeaderName: 'x-by', headers: [...headers('x-a'), ...headers('x-b')] },
      },
    });
  });
});

// As in TestMergePoliciesDoesNotMutateSourceIRs of the same package: Envoy applies the last step that sets a header.
describe('transformations of kgateway', () => {
  const set = (value: string, more: object = {}) => ({
    transformation: { request: { set: [{ name: 'origin', value }], ...more } },
  });

  it.each([
    ['DeepMergePreferChild', ['gateway', 'route'], 'of the route'],
    ['DeepMergePreferParent', ['route', 'gateway'], 'of the gateway'],
  ])('are joined by %s, the prevailing steps last', (priority, expected, body) => {
    const { specs } = worldOf(
      gatewayWith(priority),
      route('a/r'),
      traffic('g', { ...onGateway, ...set('gateway', { body: { value: 'of the gateway' } }) }),
      traffic('r', { ...onRoute, ...set('route', { body: { value: 'of the route' } }) }, 1),
    );
    const steps = expected.map((value) => ({ name: 'origin', value }));
    expect(specs[main]).toEqual({ transformation: { request: { set: steps, body: { value: body } } } });
  });
});

// As in mergeLocalRateLimit, mergeGlobalRateLimit and mergeCompression of the same package.
describe('rate limits and compression of kgateway', () => {
  const local = (tokens: number) => ({ local: { tokenBucket: { maxTokens: tokens } } });
  const global = (name: string) => ({ global: { extensionRef: { name } } });
  const [on, off] = [{ responseCompression: {} }, { requestDecompression: {} }];

  it.each([
    ['one object', undefined, onRoute],
    ['two levels', undefined, onGateway],
    ['two levels, merged in depth', 'DeepMergePreferChild', onGateway],
    ['two levels of which the parent prevails', 'ShallowMergePreferParent', onGateway],
  ])('have two separate parts, on %s', (_, priority, target) => {
    const { specs, outcomes } = worldOf(
      priority === undefined ? gateway('a/g') : gatewayWith(priority),
      route('a/r'),
      traffic('one', { ...target, rateLimit: local(1), compression: on }),
      traffic('two', { ...onRoute, rateLimit: global('x'), compression: off }, 1),
    );
    expect(specs[main]).toEqual({ rateLimit: { ...local(1), ...global('x') }, compression: { ...on, ...off } });
    expect(outcomes).toEqual({ 'a/one': 'enforced', 'a/two': 'enforced' });
  });

  it('replace each part in one piece', () => {
    const parent = { rateLimit: { local: { tokenBucket: { maxTokens: 1 }, percentEnabled: 5 }, ...global('x') } };
    const { specs } = worldOf(
      gateway('a/g'),
      route('a/r'),
      traffic('g', { ...onGateway, ...parent }),
      traffic('r', { ...onRoute, rateLimit: local(2) }, 1),
    );
    expect(specs[main]).toEqual({ rateLimit: { ...local(2), ...global('x') } });
  });
});

// As in pkg/kgateway/extensions2/plugins/backendconfigpolicy/merge.go.
describe('BackendConfigPolicies of kgateway', () => {
  const config = (name: string, targetRef: object, spec: object, age = 0) =>
    object(`${kgateway} BackendConfigPolicy`, `a/${name}`, { targetRefs: [targetRef], ...spec }, { age });
  const service = { group: '', kind: 'Service', name: 's' };
  const backend = { group: 'gateway.kgateway.dev', kind: 'Backend', name: 'b' };
  const world = [
    gateway('a/g'),
    route('a/r', [{ name: 'main', backendRefs: [{ name: 's', port: 80 }] }]),
    object('v1 Service', 'a/s', { ports: [{ port: 80 }] }),
    object(`${kgateway} Backend`, 'a/b', { type: 'Static' }),
  ];

  it.each([
    ['Service', service],
    ['Backend', backend],
  ])('are merged field by field on a %s, which is also their ancestor', (kind, targetRef) => {
    const tls = { tls: { sni: 'x' } };
    const { specs, outcomes, ancestors } = worldOf(
      ...world,
      config('old', targetRef, { connectTimeout: '1s', dns: { refreshRate: '1s' } }),
      config('new', targetRef, { connectTimeout: '2s', dns: { refreshRate: '2s', jitter: '1s' }, ...tls }, 1),
    );
    expect(specs).toEqual({
      [`${kind} a/${targetRef.name}`]: { connectTimeout: '1s', dns: { refreshRate: '1s', jitter: '1s' }, ...tls },
    });
    expect(outcomes).toEqual({ 'a/old': 'enforced', 'a/new': 'partly-enforced' });
    expect(ancestors['a/old']).toEqual([`${kind} a/${targetRef.name}`]);
  });

  it('target the hosts of ServiceEntries', () => {
    const entry = object('networking.istio.io/v1 ServiceEntry', 'a/e', { hosts: ['x.example', '*.example', 7] });
    const onHost = (name: string, host: string) =>
      config(name, { group: 'networking.istio.io', kind: 'Hostname', name: host }, { connectTimeout: '1s' });
    const { outcomes } = worldOf(...world, entry, onHost('p', 'x.example'), onHost('q', 'y.example'));
    expect(outcomes).toEqual({ 'a/p': 'enforced', 'a/q': 'target-not-found' });
  });
});

// As in pkg/krtcollections/builtin.go, and in route.go and the plugin of TrafficPolicies.
describe('the own fields of a rule, for kgateway', () => {
  const cors = (origin: string) => ({ allowOrigins: [origin] });
  const filter = (type: string, field: string, value: object) => ({ type, [field]: value });
  const spec = {
    cors: cors('policy'),
    urlRewrite: { pathRegex: { pattern: 'a', substitution: 'b' } },
    headerModifiers: { request: { remove: ['p'] } },
    extAuth: { extensionRef: { name: 'x' } },
    requestMirror: { disableShadowHostSuffixAppend: true },
    timeouts: { request: '1s' },
  };
  const path = { type: 'ReplacePrefixMatch', replacePrefixMatch: '/own' };

  it.each<[string, object, object, string]>([
    ['CORS', { filters: [filter('CORS', 'cors', cors('own'))] }, { cors: cors('own') }, 'partly-enforced'],
    [
      'another path',
      { filters: [filter('URLRewrite', 'urlRewrite', { path })] },
      { urlRewrite: { pathRegex: path } },
      'partly-enforced',
    ],
    ['another host alone', { filters: [filter('URLRewrite', 'urlRewrite', { hostname: 'x' })] }, {}, 'enforced'],
    [
      'headers, which both change',
      { filters: [filter('RequestHeaderModifier', 'requestHeaderModifier', { remove: ['own'] })] },
      {},
      'enforced',
    ],
    ['a filter without effect', { filters: [filter('ExternalAuth', 'externalAuth', {})] }, {}, 'enforced'],
    ['mirrors, which a policy shapes', { filters: [filter('RequestMirror', 'requestMirror', {})] }, {}, 'enforced'],
    [
      'the timeout of one request without retries',
      { timeouts: { backendRequest: '9s' } },
      { timeouts: { request: '9s' } },
      'partly-enforced',
    ],
    [
      'the timeout of one request, which is that of one retry',
      { timeouts: { backendRequest: '9s' }, retry: {} },
      {},
      'enforced',
    ],
  ])('prevail or not: %s', (_, rule, own, outcome) => {
    const { specs, outcomes } = worldOf(
      gateway('a/g'),
      route('a/r', [{ name: 'main', ...rule }]),
      traffic('p', { ...onRoute, ...spec }),
    );
    const prevailing = { ...(specs[main] as object) };
    expect(prevailing).toMatchObject({ ...spec, ...own });
    expect(outcomes).toEqual({ 'a/p': outcome });
  });

  it('apply beside policies, for GRPCRoutes', () => {
    const rules = [{ name: 'main', filters: [filter('RequestHeaderModifier', 'requestHeaderModifier', {})] }];
    const grpc = object('gateway.networking.k8s.io/v1 GRPCRoute', 'a/r', { parentRefs: [{ name: 'g' }], rules });
    const policy = traffic('p', { targetRefs: [ref('GRPCRoute', 'r')], headerModifiers: { request: {} } });
    const { outcomes } = worldOf(gateway('a/g'), grpc, policy);
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
  });
});
