import { gateway, object, ref, route } from '../world.fixture.ts';
import {
  base,
  main,
  type OptionCase,
  onGateway,
  onRoute,
  selected,
  toGateway,
  toRoute,
} from './option-case.fixture.ts';

const ag = (name: string, spec: object, age = 0) =>
  object('agentgateway.dev/v1alpha1 AgentgatewayPolicy', `a/${name}`, spec, { age });
const traffic = (attempts: number) => ({ traffic: { retry: { attempts } } });
const backend = { group: 'agentgateway.dev', kind: 'AgentgatewayBackend', name: 'b' };
const withInline = [
  gateway('a/g'),
  route('a/r', [{ name: 'main', backendRefs: [backend] }]),
  object('agentgateway.dev/v1alpha1 AgentgatewayBackend', 'a/b', {
    mcp: { targets: [{ name: 't' }] },
    policies: { tls: { sni: 'own' } },
  }),
  ag('p', { targetRefs: [backend], backend: { tls: { sni: 'policy' } } }),
];
export const agentgateway: Readonly<Record<string, OptionCase>> = {
  fieldsAt: { has: [gateway('a/g'), ag('p', { ...onGateway, ...traffic(1) })], says: { specs: {} } },
  ownValue: {
    has: withInline,
    says: {
      specs: { 'AgentgatewayBackend a/b': { backend: { tls: { sni: 'own' } } } },
      outcomes: { 'a/p': 'overridden' },
    },
  },
  ownValueTargets: {
    has: withInline,
    says: { specs: { 'AgentgatewayBackend a/b#t': { backend: { tls: { sni: 'own' } } } } },
  },
  sameLevel: {
    has: [...base, ag('p', { ...onRoute, ...traffic(1) }), ag('q', { ...onRoute, ...traffic(2) }, 1)],
    says: { specs: { [main]: traffic(1) } },
  },
  stanzas: {
    has: [
      ...base,
      ag('g', { ...onGateway, strategy: { inheritance: 'Override' }, ...traffic(1) }),
      ag('r', { ...onRoute, ...traffic(2) }),
    ],
    says: { specs: { [main]: traffic(1) } },
  },
  targetPorts: {
    has: [
      gateway('a/g', { x: 80, y: 81 }),
      route('a/r'),
      ag('p', { targetRefs: [ref('Gateway', 'g', { port: 81 })], frontend: { http: { maxBufferSize: 1 } } }),
    ],
    says: { outcomes: { 'a/p': 'enforced' } },
  },
  faults: {
    has: [
      gateway('a/g', { x: 80, y: 81 }),
      route('a/r'),
      ag('p', { targetRefs: [ref('Gateway', 'g', { port: 81 })], ...traffic(1) }),
    ],
    says: { outcomes: { 'a/p': 'invalid' } },
  },
  repeatedTargets: {
    has: [...base, ag('p', { targetRefs: [...onRoute.targetRefs, ...onRoute.targetRefs], ...traffic(1) })],
    says: { outcomes: { 'a/p': 'enforced' } },
  },
  targetSelectors: {
    has: [
      gateway('a/g'),
      route('a/r', undefined, { labels: { app: 'x' } }),
      ag('p', {
        targetSelectors: [selected],
        ...traffic(1),
      }),
    ],
    says: { specs: { [main]: traffic(1) } },
  },
};

const ng = (kind: string, name: string, spec: object, age = 0) =>
  object(`gateway.nginx.org/v1alpha1 ${kind}`, `a/${name}`, spec, { age });
const limits = (...keys: readonly string[]) => ({
  rateLimit: { local: { rules: keys.map((key) => ({ rate: '1r/s', key })) } },
});
const twoLimits = [
  ...base,
  ng('RateLimitPolicy', 'p', { ...onRoute, ...limits('a') }),
  ng('RateLimitPolicy', 'q', { ...onRoute, ...limits('b') }, 1),
];
const twoBodies = [
  ...base,
  ng('ClientSettingsPolicy', 'p', { ...toRoute, body: { maxSize: '1m' } }),
  ng('ClientSettingsPolicy', 'q', { ...toRoute, body: { maxSize: '2m' } }, 1),
];
export const nginxGatewayFabric: Readonly<Record<string, OptionCase>> = {
  conflictReason: { has: twoBodies, says: { message: 'both set the same field' } },
  coreGroupSpellings: {
    has: [
      gateway('a/g'),
      object('v1 Service', 'a/s', { ports: [{ port: 80 }] }),
      route('a/r', [{ name: 'main', backendRefs: [{ name: 's', port: 80 }] }]),
      ng('UpstreamSettingsPolicy', 'p', {
        targetRefs: [{ group: 'core', kind: 'Service', name: 's' }],
        zoneSize: '1m',
      }),
    ],
    says: { outcomes: { 'a/p': 'enforced' } },
  },
  maxTargets: {
    has: [
      gateway('a/g'),
      gateway('a/h'),
      ng('ExternalLoadBalancer', 'p', { targetRefs: [ref('Gateway', 'g'), ref('Gateway', 'h')] }),
    ],
    says: { outcomes: { 'a/p': 'invalid' } },
  },
  refuses: {
    has: [
      gateway('a/g'),
      ...['a/r', 'a/s'].map((path) =>
        object('gateway.networking.k8s.io/v1 HTTPRoute', path, { parentRefs: [{ name: 'g' }], rules: [{}] }),
      ),
      ng('ClientSettingsPolicy', 'p', { ...toRoute, body: { maxSize: '2m' } }),
    ],
    says: { specs: {}, outcomes: { 'a/p': 'invalid' } },
  },
  sameLevel: { has: twoBodies, says: { outcomes: { 'a/p': 'enforced', 'a/q': 'conflicted' } } },
  sharedFields: { has: twoLimits, says: { outcomes: { 'a/p': 'enforced', 'a/q': 'enforced' } } },
  stanzas: {
    has: [
      ...base,
      ng('ClientSettingsPolicy', 'g', { ...toGateway, body: { maxSize: '1m', timeout: '1s' } }),
      ng('ClientSettingsPolicy', 'r', { ...toRoute, body: { maxSize: '2m' } }),
    ],
    says: { specs: { 'HTTPRoute a/r': { body: { maxSize: '2m', timeout: '1s' } } } },
  },
  withinObject: { has: twoLimits, says: { specs: { 'HTTPRoute a/r': limits('a', 'b') } } },
};

const ku = (name: string, spec: object, { age = 0, ...meta }: { age?: number; deletionTimestamp?: string } = {}) =>
  object('kuadrant.io/v1 RateLimitPolicy', `a/${name}`, spec, { age, ...meta });
const tls = (name: string, age: number) =>
  object('kuadrant.io/v1 TLSPolicy', `a/${name}`, { ...toGateway, issuerRef: { name } }, { age });
const limit = (count: number) => ({ limits: { all: { rates: [{ limit: count, window: '1m' }] } } });
export const kuadrant: Readonly<Record<string, OptionCase>> = {
  conflictReason: {
    has: [gateway('a/g'), tls('p', 0), tls('q', 1)],
    says: { message: 'only one policy may reference a target' },
  },
  emptyChallenger: {
    has: [...base, ku('g', { ...toGateway, defaults: limit(1) }), ku('r', toRoute)],
    says: { specs: { [main]: limit(1) } },
  },
  isEmpty: {
    has: [...base, ku('g', { ...toGateway, defaults: limit(1) }), ku('r', { ...toRoute, limits: {} })],
    says: { specs: { [main]: limit(1) } },
  },
  sameLevel: {
    has: [
      ...base,
      ku('p', { ...toRoute, defaults: limit(1) }),
      ku('q', { ...toRoute, defaults: limit(2) }, { age: 1 }),
    ],
    says: { specs: { [main]: limit(2) } },
  },
  stanzas: {
    has: [...base, ku('g', { ...toGateway, overrides: limit(1) }), ku('r', { ...toRoute, ...limit(2) })],
    says: { specs: { [main]: limit(1) } },
  },
  whileDeleting: {
    has: [...base, ku('p', { ...toRoute, ...limit(1) }, { deletionTimestamp: '2026-01-02T00:00:00Z' })],
    says: { specs: {} },
  },
};

const oidc = (name: string, spec: object, age = 0) =>
  object(
    'extensions.kuadrant.io/v1alpha1 OIDCPolicy',
    `a/${name}`,
    { ...spec, provider: { issuerURL: name } },
    { age },
  );
export const kuadrantExtensions: Readonly<Record<string, OptionCase>> = {
  sameLevel: {
    has: [...base, oidc('p', toRoute), oidc('q', toRoute, 1)],
    says: { specs: { [main]: { provider: { issuerURL: 'p' } } } },
  },
  stanzas: {
    has: [...base, oidc('g', toGateway), oidc('r', { ...toRoute, auth: { claims: { group: 'a' } } })],
    says: { specs: { [main]: { provider: { issuerURL: 'g' }, auth: { claims: { group: 'a' } } } } },
  },
};
