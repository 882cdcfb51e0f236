import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { gateway, object, ref, route, worldOf } from './world.fixture.ts';

const base = [
  gateway('a/g'),
  route('a/r'),
  object('v1 Service', 'a/s', { ports: [{ port: 80 }] }),
  route('a/s', [{ backendRefs: [{ name: 's', port: 80 }] }]),
];
const target = 'HTTPRoute a/r';
const toRoute = { targetRef: ref('HTTPRoute', 'r') };
const toRoutes = { targetRefs: [ref('HTTPRoute', 'r')] };
const kinds: Readonly<Record<string, readonly [version: string, targets: object]>> = {
  ClientSettingsPolicy: ['v1alpha1', toRoute],
  PayloadProcessor: ['v1alpha1', toRoute],
  ObservabilityPolicy: ['v1alpha2', toRoutes],
  UpstreamSettingsPolicy: ['v1alpha1', { targetRefs: [{ group: 'core', kind: 'Service', name: 's' }] }],
  SnippetsPolicy: ['v1alpha1', { targetRefs: [ref('Gateway', 'g')] }],
};
const policy = (kind: string, name: string, spec: object, age = 0) => {
  const [version, targets] = kinds[kind] ?? ['v1alpha1', toRoutes];
  return object(`gateway.nginx.org/${version} ${kind}`, `a/${name}`, { ...targets, ...spec }, { age });
};
const limits = (...keys: readonly string[]) => ({
  rateLimit: { local: { rules: keys.map((key) => ({ rate: '1r/s', key })) } },
});

describe('two policies of NGINX Gateway Fabric on one target', () => {
  const outcomesOf = (kind: string, ...specs: readonly object[]) =>
    Object.values(worldOf(...base, ...specs.map((spec, index) => policy(kind, `p${index}`, spec, index))).outcomes);
  const snippet = (value: string) => ({ snippets: [{ context: 'http', value }] });

  // As in the validators of internal/controller/nginx/config/policies.
  it.each<[string, string, object, object]>([
    ['one directive', 'ClientSettingsPolicy', { body: { maxSize: '1m' } }, { body: { maxSize: '2m' } }],
    [
      'two parameters of one directive',
      'ClientSettingsPolicy',
      { keepAlive: { timeout: { server: '1s' } } },
      { keepAlive: { timeout: {} } },
    ],
    [
      'the parameters of its buffers',
      'ProxySettingsPolicy',
      { buffering: { buffers: { number: 4 } } },
      { buffering: { buffers: { size: '8k' } } },
    ],
    [
      'anything about tracing',
      'ObservabilityPolicy',
      { tracing: { strategy: 'ratio' } },
      { tracing: { spanName: 'x' } },
    ],
    ['dry runs', 'RateLimitPolicy', { rateLimit: { dryRun: true } }, { rateLimit: { dryRun: false } }],
    ['anything at all', 'PayloadProcessor', { processors: [{ name: 'a' }] }, { processors: [] }],
    ['a firewall policy', 'WAFPolicy', { type: 'HTTP' }, { type: 'PLM' }],
    ['the zone', 'UpstreamSettingsPolicy', { zoneSize: '1m' }, { zoneSize: '2m' }],
    [
      'a part of keepAlive',
      'UpstreamSettingsPolicy',
      { keepAlive: { time: '1s' } },
      { keepAlive: { time: '2s', requests: 1 } },
    ],
    ['the cluster IP', 'UpstreamSettingsPolicy', { useClusterIP: true }, { useClusterIP: false }],
  ])('are in conflict if both set %s', (_, kind, one, other) => {
    expect(outcomesOf(kind, one, other)).toEqual(['enforced', 'conflicted']);
  });

  it.each<[string, string, object, object]>([
    ['{} beside a field within it', 'ClientSettingsPolicy', { body: {} }, { body: { maxSize: '1m' } }],
    ['a field beside {} around it', 'ClientSettingsPolicy', { body: { maxSize: '1m' } }, { body: {} }],
    ['{} twice', 'ClientSettingsPolicy', { keepAlive: {} }, { keepAlive: {} }],
    ['two fields', 'ClientSettingsPolicy', { body: { maxSize: '1m' } }, { body: { timeout: '1s' } }],
    ['limits', 'RateLimitPolicy', limits('a'), limits('b')],
    [
      'two parts of keepAlive',
      'UpstreamSettingsPolicy',
      { keepAlive: { time: '1s' } },
      { zoneSize: '1m', keepAlive: { requests: 1 } },
    ],
    ['snippets', 'SnippetsPolicy', snippet('a'), snippet('b')],
  ])('stand side by side with %s', (_, kind, one, other) => {
    expect(outcomesOf(kind, one, other)).toEqual(['enforced', 'enforced']);
  });

  it("of the firewall on a route replaces the Gateway's", () => {
    const onGateway = { targetRefs: [ref('Gateway', 'g')], type: 'PLM', securityLogs: [] };
    const above = object('gateway.nginx.org/v1alpha1 WAFPolicy', 'a/g', onGateway);
    const { specs, outcomes } = worldOf(
      gateway('a/g'),
      route('a/r'),
      above,
      policy('WAFPolicy', 'p', { type: 'HTTP' }),
    );
    expect(specs[target]).toEqual({ type: 'HTTP' });
    expect(outcomes).toEqual({ 'a/g': 'overridden', 'a/p': 'enforced' });
  });

  it("have all of their limits, which replace the Gateway's", () => {
    const onGateway = { targetRefs: [ref('Gateway', 'g')], ...limits('gateway') };
    const above = object('gateway.nginx.org/v1alpha1 RateLimitPolicy', 'a/g', onGateway);
    const { specs, outcomes } = worldOf(
      gateway('a/g'),
      route('a/r'),
      above,
      policy('RateLimitPolicy', 'p', limits('a')),
      policy('RateLimitPolicy', 'q', limits('b'), 1),
    );
    expect(specs[target]).toEqual(limits('a', 'b'));
    expect(outcomes).toEqual({ 'a/g': 'overridden', 'a/p': 'enforced', 'a/q': 'enforced' });
  });
});

describe('a policy of NGINX Gateway Fabric on a Gateway', () => {
  const onGateway = (kind: string, name: string, spec: object, field: 'targetRef' | 'targetRefs') => {
    const reference = ref('Gateway', 'g');
    const targets = field === 'targetRef' ? { targetRef: reference } : { targetRefs: [reference] };
    return object(`gateway.nginx.org/v1alpha1 ${kind}`, `a/${name}`, { ...targets, ...spec });
  };

  it('is replaced by the PayloadProcessor of a route, and counts for other routes', () => {
    const processors = (name: string) => ({ processors: [{ type: 'ExtProcess', name }] });
    const { specs, outcomes } = worldOf(
      gateway('a/g'),
      route('a/r'),
      route('a/other'),
      onGateway('PayloadProcessor', 'g', processors('gateway'), 'targetRef'),
      policy('PayloadProcessor', 'r', processors('route'), 1),
    );
    expect(specs).toEqual({ 'HTTPRoute a/r': processors('route'), 'HTTPRoute a/other': processors('gateway') });
    expect(outcomes).toEqual({ 'a/g': 'partly-enforced', 'a/r': 'enforced' });
  });

  it('adds its snippets to the snippets of others', () => {
    const snippets = (value: string) => ({ snippets: [{ context: 'http', value }] });
    const { specs } = worldOf(
      gateway('a/g'),
      onGateway('SnippetsPolicy', 'p', snippets('a'), 'targetRefs'),
      onGateway('SnippetsPolicy', 'q', snippets('b'), 'targetRefs'),
    );
    expect(specs).toEqual({ 'Gateway a/g': { policies: { 'a/p': snippets('a'), 'a/q': snippets('b') } } });
  });
});

// As in checkForRouteOverlap of internal/controller/state/graph/policies.go.
describe('a policy of NGINX Gateway Fabric on a route with a host, port and path of another route', () => {
  const at = (path: string, hostnames: readonly string[], value: string, more: object = {}) => {
    const made = route(path, [{ matches: [{ path: { value } }] }]);
    return { ...made, spec: { ...Object(made.spec), hostnames, ...more } };
  };
  const hosts = ['one.example', 'two.example'];
  const own = at('a/r', hosts, '/x');
  const limit = policy('RateLimitPolicy', 'p', limits('a'));
  const gatewayClass = (controllerName: string) =>
    object('gateway.networking.k8s.io/v1 GatewayClass', 'c', { controllerName });
  const grpc = object('gateway.networking.k8s.io/v1 GRPCRoute', 'a/s', {
    parentRefs: [{ name: 'g' }],
    hostnames: hosts,
    rules: [{ matches: [{ method: { service: 'x', method: 'y' } }] }],
  });
  const set = object('gateway.networking.k8s.io/v1 ListenerSet', 'a/set', {
    parentRef: { name: 'g' },
    listeners: [{ name: 'more', port: 80, protocol: 'HTTP', hostname: 'one.example' }],
  });
  const inSet = { parentRefs: [{ kind: 'ListenerSet', name: 'set' }] };

  it.each<[string, string, readonly KubernetesObject[]]>([
    ['is refused', 'invalid', [own, at('a/s', hosts, '/x')]],
    ['is not known if they share a part of their hosts', 'undecided', [own, at('a/s', ['two.example', 'y'], '/x')]],
    ['is not known if the other one is of another namespace', 'undecided', [own, at('b/s', hosts, '/x')]],
    ['is not known if the other one is of another kind', 'undecided', [at('a/r', hosts, '/x/y'), grpc]],
    [
      'is not known if the other one has the same name, and is of another kind',
      'undecided',
      [at('a/r', hosts, '/x/y'), { ...grpc, metadata: { ...grpc.metadata, name: 'r' } }],
    ],
    [
      'is not known if the other one has a ListenerSet',
      'undecided',
      [own, set, at('a/s', ['one.example'], '/x', inSet)],
    ],
    ['is in force if the other one has another path', 'enforced', [own, at('a/s', hosts, '/')]],
    ['is in force if the other one has other hosts', 'enforced', [own, at('a/s', ['x'], '/x')]],
    ['is in force if the other one has another Gateway', 'enforced', [own, at('a/s', hosts, '/x', { parentRefs: [] })]],
  ])('%s', (_, outcome, routes) => {
    const classes = [gatewayClass('gateway.nginx.org/nginx-gateway-controller'), ...base.slice(0, 1)];
    expect(worldOf(...classes, ...routes, limit).outcomes['a/p']).toBe(outcome);
  });

  it('is in force if it targets both, or if the Gateway belongs to another controller', () => {
    const both = { targetRefs: [ref('HTTPRoute', 'r'), ref('HTTPRoute', 's')], ...limits('a') };
    const routes = [own, at('a/s', hosts, '/x')];
    expect(worldOf(gateway('a/g'), ...routes, policy('RateLimitPolicy', 'p', both)).outcomes).toEqual({
      'a/p': 'enforced',
    });
    const { issues } = worldOf(gatewayClass('example.com/other'), gateway('a/g'), ...routes, limit);
    expect(issues.filter(({ code }) => code === 'unsupported-target')).toEqual([]);
  });

  it('is refused on all its targets', () => {
    const both = { targetRefs: [ref('HTTPRoute', 'r'), ref('HTTPRoute', 't')], ...limits('a') };
    const routes = [own, at('a/s', hosts, '/x'), route('a/t')];
    const { outcomes, specs } = worldOf(gateway('a/g'), ...routes, policy('RateLimitPolicy', 'p', both));
    expect([outcomes, specs]).toEqual([{ 'a/p': 'invalid' }, {}]);
  });
});
