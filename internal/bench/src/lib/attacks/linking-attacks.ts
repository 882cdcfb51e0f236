import { gatewayApi } from '@policy-machinery/gateway-api';
import type { JsonObject } from '@policy-machinery/resource';
import type { Attack } from './attack.ts';
import { AccessPolicy, policyGroup, TimeoutPolicy, TrafficPolicy } from './policy-kinds.ts';
import {
  attachedRoute,
  gateway,
  grant,
  listener,
  listOf,
  policy,
  refTo,
  resource,
  route,
  service,
} from './resources.ts';

const openGateway = gateway('g', [listener('l', { allowedRoutes: { namespaces: { from: 'All' } } })]);
const delegating = { kinds: [TimeoutPolicy], targetKinds: gatewayApi({ delegation: true }) };
const children = refTo('HTTPRoute', '*');
const prefix = (value: string): JsonObject => ({ path: { type: 'PathPrefix', value } });

/** Attacks on reading, linking and attaching, and on following requests. */
export const linkingAttacks: readonly Attack[] = [
  {
    name: 'listeners of one name',
    sizes: [20_000, 40_000, 80_000],
    kinds: [TimeoutPolicy],
    hostile: (size) => [
      gateway(
        'g',
        listOf(size, () => ({ name: 'a' })),
      ),
    ],
  },
  {
    name: 'rules without a name',
    sizes: [80_000, 160_000, 320_000],
    kinds: [TimeoutPolicy],
    stages: ['apply', 'issues', 'plan', 'change'],
    hostile: (size) => [route('r', { rules: listOf(size, () => ({})) })],
  },
  {
    name: 'ports of one number',
    sizes: [20_000, 40_000, 80_000],
    kinds: [TrafficPolicy],
    hostile: (size) => [
      service(
        's',
        listOf(size, () => ({ port: 1 })),
      ),
    ],
  },
  {
    name: 'parentRefs × listeners, all to all',
    sizes: [3_000, 6_000, 12_000],
    kinds: [TimeoutPolicy],
    hostile: (size) => [
      gateway(
        'g',
        listOf(size, (place) => listener(`l${place}`)),
      ),
      route('r', { parentRefs: listOf(size, () => ({ name: 'g' })), rules: [{}] }),
    ],
  },
  {
    name: 'parentRefs, one to each listener',
    sizes: [3_000, 6_000, 12_000],
    kinds: [TimeoutPolicy],
    hostile: (size) => [
      gateway(
        'g',
        listOf(size, (place) => listener(`l${place}`)),
      ),
      route('r', { parentRefs: listOf(size, (place) => ({ name: 'g', sectionName: `l${place}` })), rules: [{}] }),
    ],
  },
  {
    name: 'routes × listeners',
    sizes: [900, 1_800, 3_600],
    kinds: [TimeoutPolicy],
    hostile: (size) => [
      gateway(
        'g',
        listOf(size, (place) => listener(`l${place}`)),
      ),
      ...listOf(size, (place) => attachedRoute(`r${place}`)),
    ],
  },
  {
    name: 'routes × 256 listeners',
    sizes: [1_650, 3_300, 6_600],
    kinds: [TimeoutPolicy],
    hostile: (size) => [
      gateway(
        'g',
        listOf(256, (place) => listener(`l${place}`)),
      ),
      ...listOf(size, (place) => route(`r${place}`, { parentRefs: [{ name: 'g' }] })),
    ],
  },
  {
    name: 'backendRefs, one to each port',
    sizes: [6_000, 12_000, 24_000],
    kinds: [TimeoutPolicy],
    hostile: (size) => [
      service(
        's',
        listOf(size, (place) => ({ port: place + 1 })),
      ),
      route('r', { rules: [{ backendRefs: listOf(size, (place) => ({ name: 's', port: place + 1 })) }] }),
    ],
  },
  {
    name: 'hostnames × listeners',
    sizes: [3_000, 6_000, 11_500],
    kinds: [TimeoutPolicy],
    hostile: (size) => [
      gateway(
        'g',
        listOf(size, (place) => listener(`l${place}`, { hostname: `*.x${place}.com` })),
      ),
      route('r', { parentRefs: [{ name: 'g' }], hostnames: listOf(size, (place) => `a.y${place}.com`), rules: [{}] }),
    ],
  },
  {
    name: 'a request × hostnames × routes',
    sizes: [150, 300, 600],
    kinds: [TimeoutPolicy],
    stages: ['apply', 'trace'],
    request: { host: 'a.y1.com' },
    hostile: (size) => [
      gateway(
        'g',
        listOf(64, (place) => listener(`l${place}`, { hostname: `*.y${place}.com` })),
      ),
      ...listOf(size, (at) =>
        route(`r${at}`, {
          parentRefs: [{ name: 'g' }],
          hostnames: listOf(64, (place) => `a.y${place}.com`),
          rules: [{}],
        }),
      ),
    ],
  },
  {
    name: 'ListenerSets × listeners of one port',
    sizes: [50, 100, 200],
    kinds: [TimeoutPolicy],
    stages: ['apply', 'issues', 'trace', 'change'],
    request: { host: 'a.y1.com' },
    hostile: (size) => [
      { ...openGateway, spec: { listeners: [listener('l')], allowedListeners: { namespaces: { from: 'All' } } } },
      ...listOf(size, (at) =>
        resource('gateway.networking.k8s.io/v1', 'ListenerSet', `s${at}`, {
          parentRef: { name: 'g' },
          listeners: listOf(64, (place) => listener(`l${place}`, { hostname: `y${place}.s${at % 9}.com` })),
        }),
      ),
    ],
  },
  {
    name: 'rules that name one policy',
    sizes: [2_000, 4_000, 8_500],
    kinds: [AccessPolicy],
    hostile: (size) => [
      openGateway,
      route('r', { parentRefs: [{ name: 'g' }], rules: listOf(size, () => ({ filters: [extension('p')] })) }),
      policy('AccessPolicy', 'p', undefined, { a: 1 }),
    ],
  },
  {
    name: 'filters that name one policy',
    sizes: [2_500, 5_000, 10_000],
    kinds: [AccessPolicy],
    hostile: (size) => [
      openGateway,
      route('r', { parentRefs: [{ name: 'g' }], rules: [{ filters: listOf(size, () => extension('p')) }] }),
      policy('AccessPolicy', 'p', undefined, { a: 1 }),
    ],
  },
  {
    name: 'policies that select × routes',
    sizes: [600, 1_200, 2_400],
    kinds: [TrafficPolicy],
    stages: ['apply', 'issues', 'plan', 'change'],
    hostile: (size) => [
      openGateway,
      ...listOf(size, (place) => attachedRoute(`r${place}`)),
      ...listOf(size, (place) =>
        policy('TrafficPolicy', `p${place}`, undefined, { targetSelectors: [{ kind: 'HTTPRoute' }], a: place }),
      ),
    ],
  },
  {
    name: 'Gt with many digits × routes',
    sizes: [250_000, 500_000, 1_000_000],
    kinds: [TrafficPolicy],
    given: listOf(500, (place) => attachedRoute(`r${place}`, { labels: { k: '1' } })),
    change: attachedRoute('r1', { labels: { k: '1' }, annotations: { changed: 'yes' } }),
    hostile: (size) => [selecting({ key: 'k', operator: 'Gt', values: ['9'.repeat(size)] })],
  },
  {
    name: 'In with many values × routes',
    sizes: [20_000, 40_000, 80_000],
    kinds: [TrafficPolicy],
    given: listOf(500, (place) => attachedRoute(`r${place}`, { labels: { k: '1' } })),
    change: attachedRoute('r1', { labels: { k: '1' }, annotations: { changed: 'yes' } }),
    hostile: (size) => [selecting({ key: 'k', operator: 'In', values: listOf(size, (place) => `v${place}`) })],
  },
  {
    name: '* × routes',
    sizes: [900, 1_800, 3_600],
    ...delegating,
    hostile: (size) => listOf(size, (place) => route(`r${place}`, { rules: [{ backendRefs: [children] }] })),
  },
  {
    name: '* × routes with 16 rules',
    sizes: [150, 300, 600],
    ...delegating,
    hostile: (size) =>
      listOf(size, (place) => route(`r${place}`, { rules: listOf(16, () => ({ backendRefs: [children] })) })),
  },
  {
    name: '* × routes without rules',
    sizes: [1_000, 2_000, 3_500],
    ...delegating,
    hostile: (size) => [
      ...listOf(size, (place) => route(`c${place}`, {})),
      ...listOf(size, (place) => route(`p${place}`, { rules: [{ backendRefs: [children] }] })),
    ],
  },
  {
    name: 'matches × matches of a child',
    sizes: [2_500, 5_000, 10_000],
    ...delegating,
    stages: ['apply', 'issues', 'trace', 'change'],
    request: { path: '/x1/y1' },
    hostile: (size) => [
      openGateway,
      route('p', {
        parentRefs: [{ name: 'g' }],
        rules: [{ matches: listOf(size, (place) => prefix(`/x${place}`)), backendRefs: [refTo('HTTPRoute', 'c')] }],
      }),
      route('c', { rules: [{ matches: listOf(size, (place) => prefix(`/y${place}`)) }] }),
    ],
  },
  {
    name: 'ReferenceGrants of 16 × 16',
    sizes: [100, 200, 400],
    kinds: [TimeoutPolicy],
    change: grantOf(0, { annotations: { changed: 'yes' } }),
    hostile: (size) => listOf(size, (place) => grantOf(place)),
  },
  {
    name: 'long names in messages',
    sizes: [450, 900, 1_800],
    kinds: [TimeoutPolicy],
    stages: ['apply', 'issues', 'draw', 'change'],
    hostile: (size) =>
      listOf(size, (place) =>
        policy('TimeoutPolicy', `p${place}-${'n'.repeat(240)}`, [refTo('Gateway', `g-${'n'.repeat(240)}`)], {}),
      ),
  },
];

function extension(name: string): JsonObject {
  return { type: 'ExtensionRef', extensionRef: { group: policyGroup, kind: 'AccessPolicy', name } };
}

function selecting(expression: JsonObject) {
  const targetSelectors = [{ kind: 'HTTPRoute', namespaces: { from: 'All' }, matchExpressions: [expression] }];
  return policy('TrafficPolicy', 'p', undefined, { targetSelectors, a: 1 }, { namespace: 'evil' });
}

function grantOf(at: number, more?: { readonly annotations: Readonly<Record<string, string>> }) {
  const from = listOf(16, (place) => ({
    group: 'gateway.networking.k8s.io',
    kind: 'HTTPRoute',
    namespace: `n${place}`,
  }));
  const to = listOf(16, (place) => ({ group: '', kind: 'Service', name: `s${at}-${place}` }));
  return grant(`g${at}`, from, to, more);
}
