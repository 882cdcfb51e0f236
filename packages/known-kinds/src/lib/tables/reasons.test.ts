import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { gateway, namespace, object, ref, route, worldOf } from './world.fixture.ts';

const base = [gateway('a/g'), route('a/r')];
const onGateway = { targetRefs: [ref('Gateway', 'g')] };
const onRoute = { targetRefs: [ref('HTTPRoute', 'r')] };
const toGateway = { targetRef: ref('Gateway', 'g') };
const toRoute = { targetRef: ref('HTTPRoute', 'r') };

const eg = (path: string, spec: object, age = 0) =>
  object('gateway.envoyproxy.io/v1alpha1 BackendTrafficPolicy', path, spec, { age });
const retry = (numRetries: number) => ({ retry: { numRetries } });

const limits = (count: number) => ({ limits: { all: { rates: [{ limit: count, window: '1m' }] } } });
const kuadrant = (path: string, spec: object) => object('kuadrant.io/v1 RateLimitPolicy', path, spec);
const tls = (path: string, spec: object, age = 0) =>
  object('kuadrant.io/v1 TLSPolicy', path, { issuerRef: { name: path }, ...spec }, { age });

const kgateway = (path: string, spec: object, annotations = {}, age = 0) =>
  object('gateway.kgateway.dev/v1alpha1 TrafficPolicy', path, spec, { annotations, age });
const request = (timeout: string) => ({ timeouts: { request: timeout } });
const priority = 'kgateway.dev/inherited-policy-priority';
const prioritized = (value: string): readonly KubernetesObject[] => {
  const [parent, ...others] = base;
  return [
    { ...parent, metadata: { ...parent?.metadata, annotations: { [priority]: value } } } as KubernetesObject,
    ...others,
  ];
};

const agentgateway = (path: string, spec: object) => object('agentgateway.dev/v1alpha1 AgentgatewayPolicy', path, spec);
const traffic = (attempts: number) => ({ traffic: { retry: { attempts } } });

const nginx = (path: string, spec: object, age = 0) =>
  object('gateway.nginx.org/v1alpha1 ClientSettingsPolicy', path, spec, { age });
const body = (maxSize: string) => ({ body: { maxSize } });

const delegating = [
  gateway('a/g'),
  route('a/r', [{ name: 'main', backendRefs: [ref('HTTPRoute', 'child')] }]),
  object('gateway.networking.k8s.io/v1 HTTPRoute', 'a/child', { rules: [{ name: 'below' }] }),
];
const gloo = (path: string, to: string, numRetries: number) =>
  object('gateway.solo.io/v1 RouteOption', path, {
    targetRefs: [ref('HTTPRoute', to)],
    options: { retries: { numRetries } },
  });

const peers = (path: string, mode: string, age = 0) =>
  object('security.istio.io/v1 PeerAuthentication', path, { mtls: { mode } }, { age });
const pod = object('v1 Pod', 'a/x', {}, { labels: { app: 'x' } });

const server = object('policy.linkerd.io/v1beta3 Server', 'a/s', { port: 80 });
const serverRef = { targetRef: { group: 'policy.linkerd.io', kind: 'Server', name: 's' } };
const linkerd = (path: string, age: number) =>
  object('policy.linkerd.io/v1alpha1 HTTPLocalRateLimitPolicy', path, { ...serverRef, total: {} }, { age });

const association = (path: string, age: number) =>
  object(
    'application-networking.k8s.aws/v1alpha1 VpcAssociationPolicy',
    path,
    { ...toGateway, associateWithVpc: true },
    { age },
  );

describe('the message about a policy that loses', () => {
  it.each<[string, readonly KubernetesObject[], string]>([
    [
      'Envoy Gateway, without a mergeType',
      [...base, eg('a/high', { ...onGateway, ...retry(1) }), eg('a/low', { ...onRoute, ...retry(2) })],
      'a/low replaces it, because mergeType is not set (Atomic defaults).',
    ],
    [
      'Envoy Gateway, with a mergeType',
      [
        ...base,
        eg('a/high', { ...onGateway, ...retry(1), timeout: { tcp: { connectTimeout: '1s' } } }),
        eg('a/low', { ...onRoute, ...retry(2), mergeType: 'JSONMerge' }),
      ],
      'a/low prevails at /retry/numRetries, because mergeType is JSONMerge (Patch defaults).',
    ],
    [
      'Envoy Gateway, on one target',
      [...base, eg('a/low', { ...onRoute, ...retry(2) }), eg('a/high', { ...onRoute, ...retry(1) }, 1)],
      'a/low stays: it is older, and only one policy attaches to a target (None).',
    ],
    [
      'Envoy Gateway, two levels above',
      [
        ...base,
        eg('a/high', { ...onGateway, ...retry(1) }),
        eg(
          'a/middle',
          { targetRefs: [ref('Gateway', 'g', { sectionName: 'http' })], mergeType: 'JSONMerge', ...retry(2) },
          1,
        ),
        eg('a/low', { ...onRoute, mergeType: 'JSONMerge', ...retry(3) }, 2),
      ],
      'a/low replaces it, because only the closest parent is merged (Atomic defaults).',
    ],
    [
      'Kuadrant, under overrides',
      [
        ...base,
        kuadrant('a/low', { ...toGateway, overrides: { strategy: 'merge', ...limits(1) } }),
        kuadrant('a/high', { ...toRoute, ...limits(2) }),
      ],
      'a/low replaces it, because overrides.strategy is merge (Custom).',
    ],
    [
      'Kuadrant, under defaults without a strategy',
      [
        ...base,
        kuadrant('a/high', { ...toGateway, defaults: limits(1) }),
        kuadrant('a/low', { ...toRoute, ...limits(2) }),
      ],
      'a/low replaces it, because defaults.strategy is not set (Atomic defaults).',
    ],
    [
      'Kuadrant, on a listener',
      [
        gateway('a/g'),
        tls('a/high', toGateway),
        tls('a/low', { targetRef: ref('Gateway', 'g', { sectionName: 'http' }) }),
      ],
      "a/low replaces it, because a listener's policy replaces its Gateway's (Atomic defaults).",
    ],
    [
      'Kuadrant, on one Gateway',
      [gateway('a/g'), tls('a/low', toGateway), tls('a/high', toGateway, 1)],
      'a/low stays: it is older, and only one policy may reference a target (None).',
    ],
    [
      'kgateway, without an annotation',
      [
        ...base,
        kgateway('a/high', { ...onGateway, ...request('1s') }),
        kgateway('a/low', { ...onRoute, ...request('2s') }),
      ],
      `a/low replaces it, because ${priority} is not set (ShallowMergePreferChild).`,
    ],
    [
      'kgateway, with a weight',
      [
        ...base,
        kgateway('a/high', { ...onRoute, ...request('1s') }),
        kgateway('a/low', { ...onRoute, ...request('2s') }, { 'kgateway.dev/policy-weight': '5' }, 1),
      ],
      'a/low replaces it, because it has the greater weight (Custom).',
    ],
    [
      'kgateway, with an annotation',
      [
        ...prioritized('ShallowMergePreferParent'),
        kgateway('a/low', { ...onGateway, ...request('1s') }),
        kgateway('a/high', { ...onRoute, ...request('2s') }),
      ],
      `a/low replaces it, because ${priority} is ShallowMergePreferParent (Custom).`,
    ],
    [
      'kgateway, with an annotation that it does not know',
      [
        ...prioritized('PreferMe'),
        kgateway('a/high', { ...onGateway, ...request('1s') }),
        kgateway('a/low', { ...onRoute, ...request('2s') }),
      ],
      `a/low replaces it, because ${priority} has an unknown value (ShallowMergePreferChild).`,
    ],
    [
      'agentgateway',
      [
        ...base,
        agentgateway('a/high', { ...onGateway, ...traffic(1) }),
        agentgateway('a/low', { ...onRoute, ...traffic(2) }),
      ],
      'a/low replaces it, because strategy.inheritance is not set (Default).',
    ],
    [
      'agentgateway, under Override',
      [
        ...base,
        agentgateway('a/low', { ...onGateway, strategy: { inheritance: 'Override' }, ...traffic(1) }),
        agentgateway('a/high', { ...onRoute, ...traffic(2) }),
      ],
      'a/low replaces it, because strategy.inheritance is Override (Custom).',
    ],
    [
      'NGINX Gateway Fabric',
      [...base, nginx('a/high', { ...toGateway, ...body('1m') }), nginx('a/low', { ...toRoute, ...body('2m') })],
      'a/low replaces it, because NGINX inherits a directive only where none is set (field by field).',
    ],
    [
      'NGINX Gateway Fabric, on one target',
      [...base, nginx('a/low', { ...toRoute, ...body('1m') }), nginx('a/high', { ...toRoute, ...body('2m') }, 1)],
      'a/low stays: it is older, and both set the same field (None).',
    ],
    [
      'Gloo Gateway, below a parent route',
      [...delegating, gloo('a/low', 'r', 1), gloo('a/high', 'child', 2)],
      'a/low replaces it, because delegation.gateway.solo.io/enable-policy-overrides is not set (Custom).',
    ],
    [
      'Istio, in a namespace',
      [
        namespace('a'),
        namespace('istio-system'),
        pod,
        peers('istio-system/high', 'STRICT'),
        peers('a/low', 'PERMISSIVE'),
      ],
      "a/low replaces it, because a workload's mode prevails over its namespace's, and that over the mesh's (Patch defaults).",
    ],
    [
      'Istio, twice in a namespace',
      [namespace('a'), pod, peers('a/low', 'STRICT'), peers('a/high', 'DISABLE', 1)],
      'a/low stays: it is older, and only the oldest counts for a workload, a namespace or the mesh (None).',
    ],
    [
      'Linkerd',
      [server, linkerd('a/low', 0), linkerd('a/high', 1)],
      'a/low stays: it is older, and a Server has one rate limit only (None).',
    ],
    [
      'the AWS Gateway API Controller',
      [gateway('a/g'), association('a/low', 0), association('a/high', 1)],
      'a/low stays: it is older, and a target has one policy only (None).',
    ],
  ])('has the words of %s', (_, resources, sentence) => {
    const { messages } = worldOf(...resources);
    expect(messages['a/high'] ?? messages['istio-system/high']).toContain(sentence);
  });
});
