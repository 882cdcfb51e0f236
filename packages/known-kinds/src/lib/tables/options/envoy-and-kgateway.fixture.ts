import type { KubernetesObject } from '@policy-machinery/resource';
import { gateway, object, route } from '../world.fixture.ts';
import {
  base,
  belowListenerSet,
  main,
  type OptionCase,
  onGateway,
  onListener,
  onRoute,
  onRule,
  selected,
} from './option-case.fixture.ts';

const eg = (name: string, spec: object, age = 0) =>
  object('gateway.envoyproxy.io/v1alpha1 BackendTrafficPolicy', `a/${name}`, spec, { age });
const retry = (numRetries: number, triggers?: readonly string[]) => ({
  retry: { numRetries, ...(triggers === undefined ? {} : { retryOn: { triggers } }) },
});
export const envoyGateway: Readonly<Record<string, OptionCase>> = {
  ancestorEntries: {
    has: [...belowListenerSet, eg('p', { ...onRoute, ...retry(1) })],
    says: { ancestors: { 'a/p': ['ListenerSet a/ls'] } },
  },
  ancestors: {
    has: [...belowListenerSet, eg('p', { ...onRoute, ...retry(1) })],
    says: { ancestors: { 'a/p': ['ListenerSet a/ls'] } },
  },
  conflictReason: {
    has: [...base, eg('p', { ...onRoute, ...retry(1) }), eg('q', { ...onRoute, ...retry(2) }, 1)],
    says: { message: 'only one policy attaches to a target' },
  },
  crossNamespace: {
    has: [
      gateway('a/g'),
      route('b/r', undefined, { labels: { app: 'x' } }),
      object('gateway.envoyproxy.io/v1alpha1 BackendTrafficPolicy', 'a/p', {
        targetSelectors: [{ kind: 'HTTPRoute', matchLabels: { app: 'x' }, namespaces: { from: 'All' } }],
        ...retry(1),
      }),
      object('gateway.networking.k8s.io/v1beta1 ReferenceGrant', 'b/g', {
        from: [{ group: 'gateway.envoyproxy.io', kind: 'BackendTrafficPolicy', namespace: 'a' }],
        to: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' }],
      }),
    ],
    says: { specs: { 'HTTPRoute b/r#main': retry(1) } },
  },
  fold: {
    has: [
      ...base,
      eg('g', { ...onGateway, timeout: { tcp: { connectTimeout: '1s' } } }),
      eg('r', { ...onRoute, ...retry(1) }, 1),
      eg('rule', { ...onListener, mergeType: 'JSONMerge', ...retry(2) }, 2),
      eg('low', { ...onRule, mergeType: 'JSONMerge', connection: { bufferLimit: '1' } }, 3),
    ],
    says: { outcomes: { 'a/g': 'overridden', 'a/r': 'overridden', 'a/rule': 'enforced', 'a/low': 'enforced' } },
  },
  refuses: {
    has: [
      gateway('a/g'),
      object('gateway.networking.k8s.io/v1 GatewayClass', 'c', { controllerName: 'gateway.envoyproxy.io/x' }),
      object('gateway.envoyproxy.io/v1alpha1 EnvoyPatchPolicy', 'a/p', {
        targetRef: { group: 'gateway.networking.k8s.io', kind: 'GatewayClass', name: 'c' },
        type: 'JSONPatch',
      }),
    ],
    says: { specs: {}, outcomes: { 'a/p': 'invalid' } },
  },
  ownValue: {
    has: [
      gateway('a/g'),
      route('a/r', [{ name: 'main', timeouts: { request: '9s' } }]),
      eg('p', { ...onRoute, timeout: { http: { requestTimeout: '1s' } } }),
    ],
    says: { specs: { [main]: { timeout: { http: { requestTimeout: '9s' } } } } },
  },
  ownValuePrecedence: {
    has: [
      gateway('a/g'),
      route('a/r', [{ name: 'main', timeouts: { request: '9s' } }]),
      eg('p', { ...onRoute, ...retry(1) }),
    ],
    says: { specs: { [main]: { timeout: { http: { requestTimeout: '9s' } }, ...retry(1) } } },
  },
  ownValueStrategy: {
    has: [
      gateway('a/g'),
      route('a/r', [{ name: 'main', retry: { attempts: 3 } }]),
      eg('p', { ...onRoute, ...retry(1, ['5xx']) }),
    ],
    says: { specs: { [main]: retry(3) } },
  },
  sameLevel: {
    has: [...base, eg('p', { ...onRoute, ...retry(1) }), eg('q', { ...onRoute, timeout: { tcp: {} } }, 1)],
    says: { outcomes: { 'a/p': 'enforced', 'a/q': 'conflicted' } },
  },
  stanzas: {
    has: [
      ...base,
      eg('g', { ...onGateway, ...retry(1, ['5xx']) }),
      eg('r', { ...onRoute, mergeType: 'StrategicMerge', ...retry(2) }),
    ],
    says: { specs: { [main]: retry(2, ['5xx']) } },
  },
  strategyChooser: {
    has: [
      ...base,
      eg('g', { ...onGateway, ...retry(1, ['5xx']) }),
      eg('r', { ...onRoute, mergeType: 'JSONMerge', ...retry(2) }),
    ],
    says: { specs: { [main]: retry(2, ['5xx']) } },
  },
  targetSelectors: {
    has: [
      gateway('a/g'),
      route('a/r', undefined, { labels: { app: 'x' } }),
      eg('p', { targetSelectors: [{ kind: 'HTTPRoute', matchLabels: { app: 'x' } }], ...retry(1) }),
    ],
    says: { specs: { [main]: retry(1) } },
  },
};

const kg = (name: string, spec: object, age = 0, annotations: Record<string, string> = {}) =>
  object('gateway.kgateway.dev/v1alpha1 TrafficPolicy', `a/${name}`, spec, { age, annotations });
const request = (timeout: string) => ({ timeouts: { request: timeout } });
const buffer = (maxRequestSize: string) => ({ buffer: { maxRequestSize } });
const preferring = (priority: string): KubernetesObject => {
  const plain = gateway('a/g');
  const annotations = { 'kgateway.dev/inherited-policy-priority': priority };
  return { ...plain, metadata: { ...plain.metadata, annotations } };
};
const acl = (cidr: string) => ({ acl: { defaultAction: 'deny', rules: [{ cidrs: [cidr] }] } });
export const kgateway: Readonly<Record<string, OptionCase>> = {
  ancestorEntries: {
    has: [...belowListenerSet, kg('p', { ...onRoute, ...buffer('1') })],
    says: { ancestors: { 'a/p': ['ListenerSet a/ls'] } },
  },
  ancestors: {
    has: [...belowListenerSet, kg('p', { ...onRoute, ...buffer('1') })],
    says: { ancestors: { 'a/p': ['ListenerSet a/ls'] } },
  },
  extensionRefs: {
    has: [
      gateway('a/g'),
      route('a/r', [
        {
          name: 'main',
          filters: [
            { type: 'ExtensionRef', extensionRef: { group: 'gateway.kgateway.dev', kind: 'TrafficPolicy', name: 'p' } },
          ],
        },
      ]),
      kg('p', buffer('1')),
    ],
    says: { specs: { [main]: buffer('1') } },
  },
  faults: {
    has: [...base, kg('p', { ...onRoute, ...buffer('1') }, 0, { 'kgateway.dev/policy-weight': 'high' })],
    says: { outcomes: { 'a/p': 'invalid' } },
  },
  order: {
    has: [
      ...base,
      kg('p', { ...onRoute, ...buffer('1') }),
      kg('q', { ...onRoute, ...buffer('2') }, 1, { 'kgateway.dev/policy-weight': '1' }),
    ],
    says: { specs: { [main]: buffer('2') } },
  },
  ownValue: {
    has: [
      gateway('a/g'),
      route('a/r', [{ name: 'main', timeouts: { request: '9s' } }]),
      kg('p', { ...onRoute, ...request('1s') }),
    ],
    says: { specs: { [main]: request('9s') } },
  },
  ownValuePrecedence: {
    has: [
      preferring('ShallowMergePreferParent'),
      route('a/r', [{ name: 'main', timeouts: { request: '9s' } }]),
      kg('p', { ...onGateway, ...request('1s') }),
    ],
    says: { specs: { [main]: request('9s') } },
  },
  ownValueStrategy: {
    has: [
      gateway('a/g'),
      route('a/r', [{ name: 'main', retry: { attempts: 9, codes: [503] } }]),
      kg('p', { ...onRoute, retry: { attempts: 1 } }),
    ],
    says: { specs: { [main]: { retry: { attempts: 1 } } } },
  },
  yieldingOwnFields: {
    has: [
      gateway('a/g'),
      route('a/r', [{ name: 'main', retry: { attempts: 9 } }]),
      kg('g', { ...onGateway, retry: { attempts: 1 } }),
      kg('r', { ...onRoute, retry: { attempts: 2 } }),
    ],
    says: { specs: { [main]: { retry: { attempts: 2 } } }, outcomes: { 'a/g': 'overridden', 'a/r': 'enforced' } },
  },
  stanzas: {
    has: [
      ...base,
      kg('g', { ...onGateway, timeouts: { request: '1s', streamIdle: '1s' } }),
      kg('r', { ...onRoute, ...request('2s') }),
    ],
    says: { specs: { [main]: request('2s') } },
  },
  strategyChooser: {
    has: [
      preferring('ShallowMergePreferParent'),
      route('a/r'),
      kg('g', { ...onGateway, ...buffer('1') }),
      kg('r', { ...onRoute, ...buffer('2') }),
    ],
    says: { specs: { [main]: buffer('1') } },
  },
  sameLevel: {
    has: [...base, kg('p', { ...onRoute, ...buffer('1') }), kg('q', { ...onRoute, ...buffer('2') }, 1)],
    says: { specs: { [main]: buffer('1') } },
  },
  targetSelectors: {
    has: [
      gateway('a/g'),
      route('a/r', undefined, { labels: { app: 'x' } }),
      kg('p', {
        targetSelectors: [selected],
        ...buffer('1'),
      }),
    ],
    says: { specs: { [main]: buffer('1') } },
  },
  withinObject: {
    has: [...base, kg('p', { ...onRoute, ...acl('10.0.0.0/8') }), kg('q', { ...onRoute, ...acl('11.0.0.0/8') }, 1)],
    says: { outcomes: { 'a/p': 'enforced', 'a/q': 'enforced' } },
  },
};
