import type { KubernetesObject } from '@policy-machinery/resource';
import { gateway, namespace, object, ref, route } from '../world.fixture.ts';
import { base, main, type OptionCase, onRoute } from './option-case.fixture.ts';

const pod = (path: string, labels: Record<string, string>) => object('v1 Pod', path, {}, { labels });
const allow = (path: string, spec: object) => object('security.istio.io/v1 AuthorizationPolicy', path, spec);
const peers = (path: string, mode: string, age = 0) =>
  object('security.istio.io/v1 PeerAuthentication', path, { mtls: { mode } }, { age });
const twoPeers = [namespace('a'), pod('a/x', { app: 'x' }), peers('a/p', 'STRICT'), peers('a/q', 'DISABLE', 1)];
const sampling = (name: string, randomSamplingPercentage: number, age = 0) =>
  object('telemetry.istio.io/v1 Telemetry', `a/${name}`, { tracing: [{ randomSamplingPercentage }] }, { age });
/** Returns an object of a file that does not name its namespace. */
const unplaced = ({ metadata: { namespace: _, ...metadata }, ...rest }: KubernetesObject) => ({ ...rest, metadata });
const selector = { matchLabels: { app: 'x' } };
export const istio: Readonly<Record<string, OptionCase>> = {
  conflictReason: { has: twoPeers, says: { message: 'only the oldest counts' } },
  crossNamespace: {
    has: [namespace('istio-system'), pod('a/x', { app: 'x' }), allow('istio-system/p', { selector })],
    says: { outcomes: { 'istio-system/p': 'enforced' } },
  },
  namespaceLevels: {
    has: [
      object('gateway.networking.k8s.io/v1 Gateway', 'a/w', { gatewayClassName: 'istio-waypoint', listeners: [] }),
      allow('a/p', {}),
    ],
    says: { specs: {} },
  },
  readTargets: {
    has: [pod('a/x', { app: 'x' }), pod('a/y', { app: 'y' }), allow('a/p', { selector })],
    says: { specs: { 'Pod a/x': { ALLOW: { 'a/p': {} } } } },
  },
  refuses: {
    has: [
      object('gateway.networking.k8s.io/v1 GatewayClass', 'istio-waypoint', { controllerName: 'istio.io/mesh' }),
      unplaced(allow('default/p', { targetRefs: [ref('GatewayClass', 'istio-waypoint')] })),
    ],
    says: { outcomes: { 'default/p': 'undecided' } },
  },
  sameLevel: { has: twoPeers, says: { outcomes: { 'a/p': 'enforced', 'a/q': 'conflicted' } } },
  selects: {
    has: [pod('a/w', { app: 'x', 'gateway.istio.io/managed': 'istio.io-mesh-controller' }), allow('a/p', { selector })],
    says: { specs: {} },
  },
  singleAt: {
    has: [namespace('a'), pod('a/x', { app: 'x' }), sampling('p', 1), sampling('q', 2, 1)],
    says: { outcomes: { 'a/p': 'enforced', 'a/q': 'conflicted' } },
  },
  stanzas: {
    has: [pod('a/x', { app: 'x' }), allow('a/p', { action: 'DENY' }), allow('a/q', { selector })],
    says: { specs: { 'Pod a/x': { DENY: { 'a/p': {} }, ALLOW: { 'a/q': {} } } } },
  },
};

const option = (name: string, spec: object, age = 0) =>
  object('gateway.solo.io/v1 RouteOption', `a/${name}`, spec, { age });
const retries = (numRetries: number) => ({ options: { retries: { numRetries } } });
const named = { type: 'ExtensionRef', extensionRef: { group: 'gateway.solo.io', kind: 'RouteOption', name: 'p' } };
const delegating = [
  gateway('a/g'),
  route('a/r', [{ name: 'main', backendRefs: [ref('HTTPRoute', 'child')] }]),
  object('gateway.networking.k8s.io/v1 HTTPRoute', 'a/child', { rules: [{ name: 'below' }] }),
  option('p', { ...onRoute, ...retries(1) }),
  option('q', { targetRefs: [ref('HTTPRoute', 'child')], ...retries(2) }),
];
const rewritten = [
  gateway('a/g'),
  route('a/r', [{ name: 'main', filters: [{ type: 'URLRewrite', urlRewrite: { hostname: 'own' } }] }]),
  option('p', { ...onRoute, options: { hostRewrite: 'policy' } }),
];
const ownHost = { options: { hostRewrite: 'own', autoHostRewrite: false } };
export const gloo: Readonly<Record<string, OptionCase>> = {
  extensionRefs: {
    has: [gateway('a/g'), route('a/r', [{ name: 'main', filters: [named] }]), option('p', retries(1))],
    says: { specs: { [main]: retries(1) } },
  },
  maxTargets: {
    has: [
      gateway('a/g'),
      ...Array.from({ length: 17 }, (_, index) => route(`a/r${index}`)),
      option('p', {
        targetRefs: Array.from({ length: 17 }, (_, index) => ref('HTTPRoute', `r${index}`)),
        ...retries(1),
      }),
    ],
    says: { outcomes: { 'a/p': 'enforced' } },
  },
  ownValue: { has: rewritten, says: { specs: { [main]: ownHost }, outcomes: { 'a/p': 'overridden' } } },
  ownValuePrecedence: { has: rewritten, says: { outcomes: { 'a/p': 'overridden' } } },
  repeatedTargets: {
    has: [...base, option('p', { targetRefs: [...onRoute.targetRefs, ...onRoute.targetRefs], ...retries(1) })],
    says: { outcomes: { 'a/p': 'enforced' } },
  },
  sameLevel: {
    has: [...base, option('p', { ...onRoute, ...retries(1) }), option('q', { ...onRoute, ...retries(2) }, 1)],
    says: { specs: { [main]: retries(1) } },
  },
  stanzas: { has: delegating, says: { outcomes: { 'a/p': 'enforced', 'a/q': 'overridden' } } },
  strategyChooser: { has: delegating, says: { outcomes: { 'a/p': 'enforced', 'a/q': 'overridden' } } },
  unreadAttachment: { has: [...base, option('p', retries(1))], says: { outcomes: { 'a/p': 'pending' } } },
  withinObject: {
    has: [
      gateway('a/g'),
      route('a/r', [{ name: 'main', filters: [named] }]),
      option('p', retries(1)),
      option('q', { ...onRoute, ...retries(2) }),
    ],
    says: { specs: { [main]: retries(1) } },
  },
};
