import { gateway, namespace, object, route } from '../world.fixture.ts';
import { type OptionCase, toGateway } from './option-case.fixture.ts';

const pod = object('v1 Pod', 'a/x', {}, { labels: { app: 'x' } });
const selector = { matchLabels: { app: 'x' } };
const service = object('v1 Service', 'a/s', { ports: [{ name: 'web', port: 80 }] });
const toService = (rule: object) => route('a/r', [{ name: 'main', backendRefs: [{ name: 's', port: 80 }], ...rule }]);
const session = (type: string) => ({ sessionPersistence: { type } });
const x = (name: string, spec: object, age = 0) =>
  object(
    'gateway.networking.x-k8s.io/v1alpha1 XBackendTrafficPolicy',
    `a/${name}`,
    { targetRefs: [{ group: '', kind: 'Service', name: 's' }], ...spec },
    { age },
  );
const validated = (name: string, age: number) =>
  object(
    'gateway.networking.k8s.io/v1 BackendTLSPolicy',
    `a/${name}`,
    { targetRefs: [{ group: '', kind: 'Service', name: 's' }], validation: { hostname: name } },
    { age },
  );
const ofRule = {
  has: [gateway('a/g'), service, toService(session('Header')), x('p', session('Cookie'))],
  says: { specs: { 'Service a/s': session('Header') } },
};
export const gatewayApi: Readonly<Record<string, OptionCase>> = {
  ownValue: ofRule,
  ownValueTargets: ofRule,
  ownValuePrecedence: ofRule,
  ownValueStrategy: {
    has: [
      gateway('a/g'),
      service,
      toService(session('Header')),
      x('p', { sessionPersistence: { type: 'Cookie', sessionName: 's' } }),
    ],
    says: { specs: { 'Service a/s': session('Header') } },
  },
  readTargets: {
    has: [
      pod,
      object('gateway.networking.x-k8s.io/v1alpha1 AuthorizationPolicy', 'a/p', {
        targetRefs: [{ kind: 'Pod', selector }],
        action: 'DENY',
      }),
    ],
    says: { outcomes: { 'a/p': 'enforced' } },
  },
  stanzas: {
    has: [gateway('a/g'), service, toService({}), validated('p', 0), validated('q', 1)],
    says: { outcomes: { 'a/p': 'enforced', 'a/q': 'conflicted' } },
  },
};

const linkerdServer = object('policy.linkerd.io/v1beta3 Server', 'a/s', { port: 80 });
const authorization = (targetRef: object) =>
  object('policy.linkerd.io/v1alpha1 AuthorizationPolicy', 'a/p', { targetRef, requiredAuthenticationRefs: [] });
export const linkerd: Readonly<Record<string, OptionCase>> = {
  coreGroupSpellings: {
    has: [namespace('a'), linkerdServer, authorization({ group: 'core', kind: 'Namespace', name: 'a' })],
    says: { outcomes: { 'a/p': 'enforced' } },
  },
  defaultGroup: {
    has: [namespace('a'), linkerdServer, authorization({ kind: 'Namespace', name: 'a' })],
    says: { outcomes: { 'a/p': 'enforced' } },
  },
  stanzas: {
    has: [linkerdServer, authorization({ group: 'policy.linkerd.io', kind: 'Server', name: 's' })],
    says: { specs: { 'Server a/s': { policies: { 'a/p': { requiredAuthenticationRefs: [] } } } } },
  },
};

const lattice = (name: string, age: number) =>
  object(
    'application-networking.k8s.aws/v1alpha1 VpcAssociationPolicy',
    `a/${name}`,
    { ...toGateway, associateWithVpc: true },
    { age },
  );
const listenerRule = {
  type: 'ExtensionRef',
  extensionRef: { group: 'gateway.k8s.aws', kind: 'ListenerRuleConfiguration', name: 'p' },
};

export const awsForLattice: Readonly<Record<string, OptionCase>> = {
  stanzas: {
    has: [gateway('a/g'), lattice('p', 0), lattice('q', 1)],
    says: { outcomes: { 'a/p': 'enforced', 'a/q': 'conflicted' } },
  },
};

export const awsForLoadBalancers: Readonly<Record<string, OptionCase>> = {
  extensionRefs: {
    has: [
      gateway('a/g'),
      route('a/r', [{ name: 'main', filters: [listenerRule] }]),
      object('gateway.k8s.aws/v1 ListenerRuleConfiguration', 'a/p', { actions: [] }),
    ],
    says: { outcomes: { 'a/p': 'enforced' } },
  },
  readTargets: {
    has: [service, object('gateway.k8s.aws/v1 TargetGroupConfiguration', 'a/p', { targetReference: { name: 's' } })],
    says: { outcomes: { 'a/p': 'enforced' } },
  },
  unreadAttachment: {
    has: [service, object('gateway.k8s.aws/v1 TargetGroupConfiguration', 'a/p', {})],
    says: { outcomes: { 'a/p': 'pending' } },
  },
};
