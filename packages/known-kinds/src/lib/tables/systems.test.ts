import { describe, expect, it } from 'vitest';
import { findPolicyKinds } from '../find/find-policy-kinds.ts';
import { gateway, namespace, object, ref, route, worldOf } from './world.fixture.ts';

const base = [gateway('a/g'), route('a/r')];

describe('a weight of kgateway', () => {
  const policy = (name: string, age: number, weight?: string) =>
    object(
      'gateway.kgateway.dev/v1alpha1 TrafficPolicy',
      `a/${name}`,
      { targetRefs: [ref('HTTPRoute', 'r')], timeouts: { request: name } },
      { age, ...(weight === undefined ? {} : { annotations: { 'kgateway.dev/policy-weight': weight } }) },
    );

  it.each(['3000000000', '-2147483649', 'high', '1.5'])(
    'is an error unless it is an integer of 32 bits: %s',
    (weight) => {
      const { specs, outcomes, issues } = worldOf(...base, policy('old', 0), policy('huge', 5, weight));
      expect(specs).toEqual({ 'HTTPRoute a/r#main': { timeouts: { request: 'old' } } });
      expect(outcomes).toEqual({ 'a/old': 'enforced', 'a/huge': 'invalid' });
      expect(issues).toMatchObject([
        { severity: 'error', pointer: '/metadata/annotations/kgateway.dev~1policy-weight' },
      ]);
    },
  );

  it('counts up to the greatest integer of 32 bits', () => {
    const { specs } = worldOf(...base, policy('old', 0), policy('huge', 5, '2147483647'));
    expect(specs).toEqual({ 'HTTPRoute a/r#main': { timeouts: { request: 'huge' } } });
  });
});

// As in builtin.go of kgateway.
describe('the timeouts and retries of a rule', () => {
  it('prevail over a TrafficPolicy of kgateway, each as a whole', () => {
    const retry = { attempts: 9, codes: [503], backoff: '1s' };
    const { specs, outcomes } = worldOf(
      gateway('a/g'),
      route('a/r', [
        { name: 'own', retry },
        { name: 'timed', retry: {}, timeouts: { backendRequest: '2s', request: '5s' } },
        { name: 'none' },
      ]),
      object('gateway.kgateway.dev/v1alpha1 TrafficPolicy', 'a/p', {
        targetRefs: [ref('Gateway', 'g')],
        retry: { attempts: 1, retryOn: ['5xx'], perTryTimeout: '1s' },
      }),
    );
    const retryOn = expect.arrayContaining(['connect-failure', 'retriable-status-codes']);
    expect(specs).toEqual({
      'HTTPRoute a/r#own': { retry: { attempts: 9, retryOn, statusCodes: [503], backoffBaseInterval: '1s' } },
      'HTTPRoute a/r#timed': {
        timeouts: { request: '5s' },
        retry: { attempts: 1, retryOn, perTryTimeout: '2s' },
      },
      'HTTPRoute a/r#none': { retry: { attempts: 1, retryOn: ['5xx'], perTryTimeout: '1s' } },
    });
    expect(outcomes).toEqual({ 'a/p': 'partly-enforced' });
  });

  it('prevail over the timeout of a TrafficPolicy of kgateway, if they are timeouts', () => {
    const { specs } = worldOf(
      gateway('a/g'),
      route('a/r', [
        { name: 'own', timeouts: { request: '5s' } },
        { name: 'other', timeouts: { backendRequest: '5s' } },
        { name: 'odd', timeouts: 'soon' },
      ]),
      object('gateway.kgateway.dev/v1alpha1 TrafficPolicy', 'a/p', {
        targetRefs: [ref('Gateway', 'g')],
        timeouts: { request: '9s', streamIdle: '1h' },
      }),
    );
    const timeouts = (request: string) => ({ timeouts: { request, streamIdle: '1h' } });
    expect(specs).toEqual({
      'HTTPRoute a/r#own': timeouts('5s'),
      'HTTPRoute a/r#other': timeouts('5s'),
      'HTTPRoute a/r#odd': timeouts('9s'),
    });
  });
});

describe('a route that delegates to another one', () => {
  it('passes a TrafficPolicy of kgateway on', () => {
    const child = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'child' };
    const { specs } = worldOf(
      gateway('a/g'),
      route('a/r', [{ name: 'main', matches: [{ path: { value: '/' } }], backendRefs: [child] }]),
      object('gateway.networking.k8s.io/v1 HTTPRoute', 'a/child', { rules: [{ name: 'pay' }] }),
      object('gateway.kgateway.dev/v1alpha1 TrafficPolicy', 'a/p', {
        targetRefs: [ref('HTTPRoute', 'r')],
        timeouts: { request: '9s' },
      }),
    );
    expect(specs).toHaveProperty(['HTTPRoute a/child#pay'], { timeouts: { request: '9s' } });
  });
});

describe('modes of Istio', () => {
  it('are taken from the level above where they are UNSET, as a whole and by port', () => {
    const pod = object('v1 Pod', 'a/x', {}, { labels: { app: 'x' } });
    const authentication = (name: string, spec: object) =>
      object('security.istio.io/v1 PeerAuthentication', `a/${name}`, spec);
    const ports = (mode: string) => ({ 80: { mode }, 81: { mode: 'DISABLE' } });
    const { specs } = worldOf(
      namespace('a'),
      pod,
      authentication('all', { mtls: { mode: 'STRICT' } }),
      authentication('x', {
        selector: { matchLabels: { app: 'x' } },
        mtls: { mode: 'UNSET' },
        portLevelMtls: ports('UNSET'),
      }),
    );
    expect(specs).toEqual({
      'Pod a/x': { mtls: { mode: 'STRICT' }, portLevelMtls: { 80: {}, 81: { mode: 'DISABLE' } } },
    });
  });
});

describe('direct policies of AWS Gateway API Controller', () => {
  const iam = (name: string, kind: string, target: string, age: number) =>
    object(
      'application-networking.k8s.aws/v1alpha1 IAMAuthPolicy',
      `a/${name}`,
      { targetRef: ref(kind, target), policy: name },
      { age },
    );

  it('apply to a Gateway and to a route below it, each by itself', () => {
    const { specs, outcomes, ancestors } = worldOf(
      ...base,
      iam('network', 'Gateway', 'g', 0),
      iam('service', 'HTTPRoute', 'r', 1),
    );
    expect(specs).toEqual({ 'Gateway a/g': { policy: 'network' }, 'HTTPRoute a/r': { policy: 'service' } });
    expect(outcomes).toEqual({ 'a/network': 'enforced', 'a/service': 'enforced' });
    expect(ancestors).toEqual({ 'a/network': ['Gateway a/g'], 'a/service': ['Gateway a/g'] });
  });

  it('are in conflict on one target, and the older one stays', () => {
    const { outcomes, messages } = worldOf(...base, iam('p', 'HTTPRoute', 'r', 0), iam('q', 'HTTPRoute', 'r', 1));
    expect(outcomes).toEqual({ 'a/p': 'enforced', 'a/q': 'conflicted' });
    expect(messages['a/q']).toContain('a/p stays: it is older');
  });

  it('are listed side by side on one target where it is not known which may stay', () => {
    const log = (name: string, kind: string, target: string) =>
      object('application-networking.k8s.aws/v1alpha1 AccessLogPolicy', `a/${name}`, {
        targetRef: ref(kind, target),
        destinationArn: name,
      });
    const { specs } = worldOf(
      ...base,
      log('g', 'Gateway', 'g'),
      log('p', 'HTTPRoute', 'r'),
      log('q', 'HTTPRoute', 'r'),
    );
    expect(specs).toEqual({
      'Gateway a/g': { 'a/g': { destinationArn: 'g' } },
      'HTTPRoute a/r': { 'a/p': { destinationArn: 'p' }, 'a/q': { destinationArn: 'q' } },
    });
  });
});

describe('targets of other systems', () => {
  it('are listeners for a ListenerPolicy of kgateway', () => {
    const spec = { targetRefs: [ref('Gateway', 'g', { sectionName: 'http' })] };
    const { outcomes } = worldOf(...base, object('gateway.kgateway.dev/v1alpha1 ListenerPolicy', 'a/p', spec));
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
  });

  it.each(['ListenerSet', 'HTTPRoute'])('are Gateways alone for a ListenerPolicy of kgateway, and no %s', (kind) => {
    const set = object('gateway.networking.k8s.io/v1 ListenerSet', 'a/x', { parentRef: { name: 'g' }, listeners: [] });
    const spec = { targetRefs: [ref(kind, 'x')], default: {} };
    const policy = object('gateway.kgateway.dev/v1alpha1 ListenerPolicy', 'a/p', spec);
    const { specs, issues } = worldOf(...base, set, policy);
    expect(specs).toEqual({});
    expect(issues).toContainEqual(
      expect.objectContaining({ code: 'unsupported-target', pointer: '/spec/targetRefs/0' }),
    );
  });

  it('are selected by any number of selectors in kgateway, and named by at most 16 references', () => {
    const routes = Array.from({ length: 17 }, (_, n) => route(`a/r${n}`, undefined, { labels: { n: `${n}` } }));
    const policy = (spec: object) =>
      object('gateway.kgateway.dev/v1alpha1 TrafficPolicy', 'a/p', { ...spec, timeouts: { request: '1s' } });
    const targetRefs = routes.map(({ metadata: { name } }) => ref('HTTPRoute', name));
    const targetSelectors = routes.map(({ metadata: { labels } }) => ({
      group: 'gateway.networking.k8s.io',
      kind: 'HTTPRoute',
      matchLabels: labels,
    }));
    expect(Object.keys(worldOf(gateway('a/g'), ...routes, policy({ targetSelectors })).specs)).toHaveLength(17);
    expect(worldOf(gateway('a/g'), ...routes, policy({ targetRefs })).specs).toEqual({});
  });

  it.each([
    ['policy.linkerd.io', 'HTTPRoute', 'policy.linkerd.io/v1beta3 HTTPRoute'],
    ['policy.linkerd.io', 'Server', 'policy.linkerd.io/v1beta3 Server'],
    [undefined, 'Namespace', 'v1 Namespace'],
  ])("equal Linkerd's: %s %s", (group, kind, type) => {
    const path = kind === 'Namespace' ? 'a' : 'a/a';
    const targetRef = { ...(group === undefined ? {} : { group }), kind, name: 'a' };
    const policy = object('policy.linkerd.io/v1alpha1 AuthorizationPolicy', 'a/p', {
      targetRef,
      requiredAuthenticationRefs: [],
    });
    expect(worldOf(object(type, path, {}), policy).outcomes).toEqual({ 'a/p': 'enforced' });
  });

  it('are in the core group for Istio if the group is left out, and valid beside invalid ones', () => {
    const waypoint = object('gateway.networking.k8s.io/v1 Gateway', 'a/w', {
      gatewayClassName: 'istio-waypoint',
      listeners: [{ name: 'mesh', port: 15008, protocol: 'HBONE' }],
    });
    const service = object(
      'v1 Service',
      'a/s',
      { ports: [{ port: 80 }] },
      { labels: { 'istio.io/use-waypoint': 'w' } },
    );
    const targetRefs = [
      { kind: 'Service', name: 's' },
      { kind: 'Service', name: 's2', sectionName: 'x' },
    ];
    const policy = object('security.istio.io/v1 AuthorizationPolicy', 'a/p', { targetRefs });
    const { specs, issues } = worldOf(namespace('a'), waypoint, service, policy);
    expect(Object.keys(specs)).toEqual(['Service a/s']);
    expect(issues).toMatchObject([{ severity: 'warning', pointer: '/spec/targetRefs/1' }]);
  });

  it('have a note in NGINX Gateway Fabric about routes that overlap', () => {
    const spec = { targetRef: ref('HTTPRoute', 'r'), body: { maxSize: '1m' } };
    const resources = [...base, object('gateway.nginx.org/v1alpha1 ClientSettingsPolicy', 'a/p', spec)];
    expect(findPolicyKinds({ resources }).kinds[0]?.notes.join()).toContain('same host, port and path');
  });
});

describe('a selector of Istio', () => {
  const pod = (name: string, labels: Record<string, string>) => object('v1 Pod', `a/${name}`, {}, { labels });
  const gatewayOf = (gatewayClassName: string) =>
    object('gateway.networking.k8s.io/v1 Gateway', 'a/w', { gatewayClassName, listeners: [] });
  const run = { 'gateway.networking.k8s.io/gateway-name': 'w', app: 'w' };
  const deny = (matchLabels: object) =>
    object('security.istio.io/v1 AuthorizationPolicy', 'a/deny', { selector: { matchLabels }, action: 'DENY' });
  const targetsOf = (gatewayClassName: string, matchLabels: object) =>
    worldOf(
      namespace('a'),
      gatewayOf(gatewayClassName),
      pod('wpod', run),
      pod('other', { app: 'w' }),
      deny(matchLabels),
    );

  it.each([{ app: 'w' }, { 'gateway.networking.k8s.io/gateway-name': 'w' }])(
    'never finds a Pod of a waypoint: %j',
    (by) => {
      expect(Object.keys(targetsOf('istio-waypoint', by).specs)).toEqual('app' in by ? ['Pod a/other'] : []);
    },
  );

  it.each<[string, Record<string, string>]>([
    ['a class of its own', run],
    ['a Gateway that is not there', { app: 'w', 'gateway.istio.io/managed': 'istio.io-mesh-controller' }],
  ])('never finds a Pod of a waypoint with %s', (_, labels) => {
    const gatewayClass = object('gateway.networking.k8s.io/v1 GatewayClass', 'mine', {
      controllerName: 'istio.io/mesh-controller',
    });
    const { specs } = worldOf(
      ...[namespace('a'), gatewayClass, gatewayOf('mine'), pod('wpod', labels), pod('other', { app: 'w' })],
      deny({ app: 'w' }),
    );
    expect(Object.keys(specs)).toEqual(['Pod a/other']);
  });

  it.each([
    ['of a waypoint, whose class is not there', 'mine', ['Pod a/other']],
    ['of a Gateway between clusters', 'istio-east-west', ['Pod a/other', 'Pod a/wpod']],
  ])('tells by a listener of the mesh whether a Pod is one %s', (_, gatewayClassName, expected) => {
    const listeners = [{ name: 'mesh', port: 15008, protocol: 'HBONE' }];
    const meshGateway = object('gateway.networking.k8s.io/v1 Gateway', 'a/w', { gatewayClassName, listeners });
    const { specs } = worldOf(
      ...[namespace('a'), meshGateway, pod('wpod', run), pod('other', { app: 'w' })],
      deny({ app: 'w' }),
    );
    expect(Object.keys(specs).sort()).toEqual(expected);
  });

  it('does not have an effect if it finds Pods of waypoints alone', () => {
    const { outcomes } = targetsOf('istio-waypoint', { 'gateway.networking.k8s.io/gateway-name': 'w' });
    expect(outcomes).toEqual({ 'a/deny': 'target-not-found' });
  });

  it('finds Pods of other Gateways', () => {
    expect(Object.keys(targetsOf('istio', { app: 'w' }).specs)).toEqual(['Pod a/other', 'Pod a/wpod']);
  });
});

describe('a policy of Istio for its namespace', () => {
  it('is in force though nothing but its objects proves the Namespace', () => {
    const policy = object('security.istio.io/v1 AuthorizationPolicy', 'a/p', { action: 'DENY' });
    const pod = object('v1 Pod', 'a/x', {}, { labels: { app: 'x' } });
    expect(worldOf(pod, policy).outcomes).toEqual({ 'a/p': 'enforced' });
    expect(worldOf(policy).outcomes).toEqual({ 'a/p': 'not-in-any-path' });
  });
});

describe('an EnvoyFilter of Istio', () => {
  const pod = (path: string, app: string) => object('v1 Pod', path, {}, { labels: { app } });
  const filter = (path: string, spec: object) =>
    object('networking.istio.io/v1alpha3 EnvoyFilter', path, { priority: 1, ...spec });
  const targetsOf = (...filters: readonly ReturnType<typeof filter>[]) =>
    Object.keys(
      worldOf(
        namespace('a'),
        namespace('b'),
        namespace('istio-system'),
        pod('a/x', 'x'),
        pod('a/y', 'y'),
        pod('b/x', 'x'),
        ...filters,
      ).specs,
    );
  const workloadSelector = { labels: { app: 'x' } };

  it('is attached to the Pods that its workloadSelector selects in its namespace', () => {
    expect(targetsOf(filter('a/f', { workloadSelector }))).toEqual(['Pod a/x']);
  });

  it('is attached to all Pods of its namespace without a selector', () => {
    expect(targetsOf(filter('a/f', {}))).toEqual(['Pod a/x', 'Pod a/y']);
  });

  it('is for Gateways, and never for the Services behind them', () => {
    const waypoint = object('gateway.networking.k8s.io/v1 Gateway', 'a/w', {
      gatewayClassName: 'istio-waypoint',
      listeners: [{ name: 'mesh', port: 15008, protocol: 'HBONE' }],
    });
    const use = { labels: { 'istio.io/use-waypoint': 'w' } };
    const behind = [
      object('v1 Service', 'a/s', { ports: [{ port: 80 }] }, use),
      object('networking.istio.io/v1 ServiceEntry', 'a/e', { hosts: ['x.example'] }, use),
    ];
    const targetsFor = (...targetRefs: readonly object[]) => {
      const { specs, issues } = worldOf(namespace('a'), waypoint, ...behind, filter('a/f', { targetRefs }));
      return { targets: Object.keys(specs), codes: issues.map(({ code }) => code) };
    };
    expect(targetsFor(ref('Gateway', 'w'))).toEqual({ targets: ['Gateway a/w'], codes: [] });
    for (const target of [
      { group: '', kind: 'Service', name: 's' },
      { group: 'networking.istio.io', kind: 'ServiceEntry', name: 'e' },
    ]) {
      expect(targetsFor(target)).toEqual({ targets: [], codes: ['unsupported-target'] });
      expect(targetsFor(target, ref('Gateway', 'w'))).toEqual({
        targets: ['Gateway a/w'],
        codes: ['unsupported-target'],
      });
    }
  });

  it('selects in all namespaces if it is in the root namespace', () => {
    expect(targetsOf(filter('istio-system/f', { workloadSelector }))).toEqual(['Pod a/x', 'Pod b/x']);
  });
});

describe('a route below a Server of Linkerd', () => {
  it('is in force beside a Gateway', () => {
    const parentRefs = [{ group: 'policy.linkerd.io', kind: 'Server', name: 's' }];
    const { outcomes } = worldOf(
      gateway('a/g'),
      object('policy.linkerd.io/v1beta3 Server', 'a/s', { port: 80 }),
      object('gateway.networking.k8s.io/v1 HTTPRoute', 'a/r', { parentRefs, rules: [{}] }),
      object('policy.linkerd.io/v1alpha1 AuthorizationPolicy', 'a/p', { targetRef: ref('HTTPRoute', 'r') }),
    );
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
  });
});

describe('targets in other fields than a name', () => {
  const pods = [
    object('v1 Pod', 'a/x', {}, { labels: { app: 'x' } }),
    object('v1 Pod', 'a/y', {}, { labels: { app: 'y' } }),
  ];
  const selector = { matchLabels: { app: 'x' } };
  const tls = (targetRefs: readonly object[]) =>
    object('networking.gke.io/v1 GCPServerTLSPolicy', 'a/p', { targetRefs, portOverrides: [] });

  it('are the Pods that a selector in targetRefs selects', () => {
    const { specs, outcomes } = worldOf(...pods, tls([{ kind: 'Pod', selector }]));
    expect(Object.keys(specs)).toEqual(['Pod a/x']);
    expect(outcomes).toEqual({ 'a/p': 'enforced' });
  });

  it.each<[string, object, string]>([
    ['both a name and a selector', { kind: 'Pod', name: 'y', selector }, '/spec/targetRefs/0/selector'],
    ['a Pod by its name', { kind: 'Pod', name: 'y' }, '/spec/targetRefs/0/selector'],
    ['a selector of another kind', { kind: 'Service', selector }, '/spec/targetRefs/0/kind'],
  ])('are none with %s', (_, targetRef, pointer) => {
    const { specs, issues } = worldOf(...pods, tls([targetRef]));
    expect({ specs, issues }).toMatchObject({ specs: {}, issues: [{ severity: 'error', pointer }] });
  });

  it('are named and selected side by side', () => {
    const targetRefs = [ref('Gateway', 'g'), { group: '', kind: 'Pod', selector }];
    const policy = object('networking.gke.io/v1 GCPAuthzPolicy', 'a/p', { targetRefs, action: 'DENY' });
    const { specs } = worldOf(...base, ...pods, policy);
    expect(Object.keys(specs)).toEqual(['Gateway a/g', 'Pod a/x']);
  });

  it('are in the targetReference of a TargetGroupConfiguration, which is a Service by default', () => {
    const service = object('v1 Service', 'a/s', { ports: [{ port: 80 }] });
    const configuration = (spec: object) => object('gateway.k8s.aws/v1 TargetGroupConfiguration', 'a/p', spec);
    const { specs } = worldOf(service, configuration({ targetReference: { name: 's' }, defaultConfiguration: {} }));
    expect(Object.keys(specs)).toEqual(['Service a/s']);
    expect(worldOf(service, configuration({ defaultConfiguration: {} })).specs).toEqual({});
  });

  it('are the listeners in the sectionNames of a FrontendTLSPolicy', () => {
    const targetRef = ref('Gateway', 'g', { sectionNames: ['x', 'y'] });
    const policy = object('alb.networking.azure.io/v1 FrontendTLSPolicy', 'a/p', { targetRef, default: {} });
    const { specs } = worldOf(gateway('a/g', { x: 80, y: 81, z: 82 }), policy);
    expect(Object.keys(specs)).toEqual(['Gateway a/g#x', 'Gateway a/g#y']);
  });
});
