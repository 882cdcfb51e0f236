import type { GroupKind, KubernetesObject } from '@policy-machinery/resource';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { gateway, listenerSet, namespace, referenceGrant, route, service } from '../gateway-api.fixture.ts';
import { gatewayApi } from '../gateway-api.ts';
import { ConfigMap } from '../kinds/config-map.ts';
import { Secret } from '../kinds/secret.ts';
import { gatewayStatus, listenerStatuses } from './gateway-status.ts';
import { routeStatuses } from './route-statuses.ts';

/** A kind that is known by name only. */
const Facade = defineTargetKind({ group: 'example.com', kind: 'Facade', isForeign: true });

/** The conditions of one type in a topology that is given everything, and in one that is given a part. */
function conditions(type: string, subject: keyof typeof conditionsOf, ...resources: readonly KubernetesObject[]) {
  return [true, false].map((isWhole) => {
    const targetKinds = [...gatewayApi({ delegation: true }), Secret, ConfigMap, Facade];
    const topology = createTopology({ targetKinds, isComplete: () => isWhole });
    topology.apply({ upsert: resources });
    const found = conditionsOf[subject](topology)?.find((condition) => condition.type === type);
    return `${found?.status} ${found?.reason}`;
  });
}

const group = 'gateway.networking.k8s.io';
const conditionsOf = {
  route: (topology: ReturnType<typeof createTopology>) =>
    routeStatuses(topology, `httproute.${group}:default/r`)[0]?.conditions,
  gateway: (topology: ReturnType<typeof createTopology>) =>
    gatewayStatus(topology, `gateway.${group}:default/g`)?.conditions,
  listener: (topology: ReturnType<typeof createTopology>) =>
    listenerStatuses(topology, `gateway.${group}:default/g`)[0]?.conditions,
  listenerOfSet: (topology: ReturnType<typeof createTopology>) =>
    listenerStatuses(topology, `listenerset.${group}:default/s`)[0]?.conditions,
  set: (topology: ReturnType<typeof createTopology>) =>
    gatewayStatus(topology, `listenerset.${group}:default/s`)?.conditions,
};

const http = (more: object = {}) => ({ name: 'l', port: 80, protocol: 'HTTP', ...more });
const https = (certificateRef: object) =>
  gateway('g', { listeners: [http({ port: 443, protocol: 'HTTPS', tls: { certificateRefs: [certificateRef] } })] });
const open = gateway('g', { listeners: [http()] });
const forTeams = (owner: 'allowedRoutes' | 'allowedListeners') => ({
  [owner]: { namespaces: { from: 'Selector', selector: { matchLabels: { team: 'a' } } } },
});
const to = (backendRef: object) =>
  route('HTTPRoute', 'r', { parentRefs: [{ name: 'g' }], rules: [{ backendRefs: [backendRef] }] });
const below = (parentRef: object) => route('HTTPRoute', 'r', { parentRefs: [parentRef] });
const secret = (name: string, inNamespace = 'default'): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: inNamespace },
});
const abroad = { name: 's', namespace: 'abroad', port: 80 };

describe('the status of a topology that is given a part of the resources', () => {
  it.each<[string, string, keyof typeof conditionsOf, string, readonly KubernetesObject[]]>([
    ['a Gateway', 'Accepted', 'route', 'False NoMatchingParent', [below({ name: 'g' })]],
    [
      'a parent that delegates',
      'Accepted',
      'route',
      'False NoMatchingParent',
      [below({ group, kind: 'HTTPRoute', name: 'p' })],
    ],
    [
      'the labels of a namespace',
      'Accepted',
      'route',
      'False NotAllowedByListeners',
      [gateway('g', { listeners: [http(forTeams('allowedRoutes'))] }), below({ name: 'g' })],
    ],
    [
      'the Gateway of a ListenerSet',
      'Accepted',
      'route',
      'False NoMatchingParent',
      [
        listenerSet('s', { parentRef: { name: 'g' }, listeners: [http()] }),
        below({ group, kind: 'ListenerSet', name: 's' }),
      ],
    ],
    [
      'a Gateway above it',
      'Accepted',
      'set',
      'False ParentNotAccepted',
      [listenerSet('s', { parentRef: { name: 'g' }, listeners: [] })],
    ],
    [
      'a Gateway above it, of which listeners may be in conflict',
      'Conflicted',
      'listenerOfSet',
      'False NoConflicts',
      [listenerSet('s', { parentRef: { name: 'g' }, listeners: [http()] })],
    ],
    [
      'the labels of the namespace of a ListenerSet',
      'Accepted',
      'set',
      'False NotAllowed',
      [
        gateway('g', { ...forTeams('allowedListeners'), listeners: [http()] }),
        listenerSet('s', { parentRef: { name: 'g' }, listeners: [] }),
      ],
    ],
    ['a Service', 'ResolvedRefs', 'route', 'False BackendNotFound', [open, to({ name: 's', port: 80 })]],
    [
      'a backend of an unknown kind',
      'ResolvedRefs',
      'route',
      'False InvalidKind',
      [open, to({ group: 'x', kind: 'X', name: 's' })],
    ],
    [
      'a grant for a backend',
      'ResolvedRefs',
      'route',
      'False RefNotPermitted',
      [open, to(abroad), service('s', [{ port: 80 }], 'abroad')],
    ],
    ['a Secret', 'ResolvedRefs', 'listener', 'False InvalidCertificateRef', [https({ name: 'c' })]],
    [
      'a grant for a Secret',
      'ResolvedRefs',
      'listener',
      'False RefNotPermitted',
      [https({ name: 'c', namespace: 'abroad' }), secret('c', 'abroad')],
    ],
    [
      'the parameters of a Gateway',
      'Accepted',
      'gateway',
      'False InvalidParameters',
      [
        gateway('g', {
          listeners: [http()],
          infrastructure: { parametersRef: { group: '', kind: 'ConfigMap', name: 'c' } },
        }),
      ],
    ],
    [
      'the certificate that a Gateway shows to backends',
      'ResolvedRefs',
      'gateway',
      'False InvalidClientCertificateRef',
      [gateway('g', { listeners: [http()], tls: { backend: { clientCertificateRef: { name: 'c' } } } })],
    ],
  ])('is unknown without %s: %s of a %s, otherwise %s', (_, type, subject, otherwise, resources) => {
    expect(conditions(type, subject, ...resources)).toEqual([otherwise, 'Unknown Pending']);
  });

  const granted = referenceGrant(
    'abroad',
    [{ kind: 'HTTPRoute', namespace: 'default' }],
    [{ group: '', kind: 'Service' }],
  );
  const denied = gateway('g', { listeners: [http({ allowedRoutes: { namespaces: { from: 'None' } } })] });

  it.each<[string, string, keyof typeof conditionsOf, string, readonly KubernetesObject[]]>([
    ['by a Gateway', 'Accepted', 'route', 'True Accepted', [open, below({ name: 'g' })]],
    [
      'by a listener that takes no routes',
      'Accepted',
      'route',
      'False NotAllowedByListeners',
      [denied, below({ name: 'g' })],
    ],
    [
      'by a Gateway without the section',
      'Accepted',
      'route',
      'False NoMatchingParent',
      [open, below({ name: 'g', sectionName: 'x' })],
    ],
    [
      'by a Service',
      'ResolvedRefs',
      'route',
      'True ResolvedRefs',
      [open, to({ name: 's', port: 80 }), service('s', [{ port: 80 }])],
    ],
    [
      'by a Service without the port, depending on the implementation',
      'ResolvedRefs',
      'route',
      'Unknown Pending',
      [open, to({ name: 's', port: 81 }), service('s', [{ port: 80 }])],
    ],
    [
      'by a grant',
      'ResolvedRefs',
      'route',
      'True ResolvedRefs',
      [open, to(abroad), service('s', [{ port: 80 }], 'abroad'), granted],
    ],
    ['by a Secret', 'ResolvedRefs', 'listener', 'True ResolvedRefs', [https({ name: 'c' }), secret('c')]],
    [
      'by the labels of a namespace',
      'Accepted',
      'route',
      'False NotAllowedByListeners',
      [
        gateway('g', { listeners: [http(forTeams('allowedRoutes'))] }),
        below({ name: 'g' }),
        namespace('default', { team: 'b' }),
      ],
    ],
  ])('is decided %s: %s of a %s is %s', (_, type, subject, expected, resources) => {
    expect(conditions(type, subject, ...resources)).toEqual([expected, expected]);
  });

  it('is unknown for a backend of a kind that is known by name only', () => {
    const facade = { apiVersion: 'example.com/v1', kind: 'Facade', metadata: { name: 'f', namespace: 'default' } };
    const resources = [open, to({ group: 'example.com', kind: 'Facade', name: 'f' }), facade];
    expect(conditions('ResolvedRefs', 'route', ...resources)).toEqual(['Unknown Pending', 'Unknown Pending']);
  });

  it('is decided by a fault beside something that is not known', () => {
    const both = route('HTTPRoute', 'r', {
      parentRefs: [{ name: 'g' }],
      rules: [{ backendRefs: [{ name: 's', port: 80 }] }, { backendRefs: [{ group, kind: 'Gateway', name: 'g' }] }],
    });
    expect(conditions('ResolvedRefs', 'route', open, both)[1]).toBe('False InvalidKind');
  });
});

describe('the condition Conflicted', () => {
  const conflicted = (complete: readonly string[], ...resources: readonly KubernetesObject[]) => {
    // The class decides about the data plane.
    const dataPlane = () => (resources.includes(gatewayClass) ? ({ sharedProxies: 'by class' } as const) : {});
    const isComplete = ({ kind }: GroupKind) => complete.includes(kind);
    const topology = createTopology({ targetKinds: gatewayApi({ dataPlane }), isComplete });
    topology.apply({ upsert: resources });
    const [status] = listenerStatuses(topology, `gateway.${group}:default/g`);
    return status?.conditions.find(({ type }) => type === 'Conflicted')?.status;
  };
  const gatewayOf = (name: string, port = 80) =>
    gateway(name, { gatewayClassName: 'c', listeners: [http({ port })], ...forTeams('allowedListeners') });
  const setOf = (name: string, port: number) =>
    listenerSet(name, { parentRef: { name: 'g' }, listeners: [http({ port })] });
  const gatewayClass = { apiVersion: `${group}/v1`, kind: 'GatewayClass', metadata: { name: 'c' }, spec: {} };
  const gateways = ['GatewayClass', 'Gateway'];

  it('is not known beside a Gateway that may share the proxies', () => {
    expect(conflicted(gateways, gatewayClass, gatewayOf('g'), gatewayOf('h'))).toBe('Unknown');
    expect(conflicted(gateways, gatewayClass, gatewayOf('g'), gatewayOf('h', 81))).toBe('False');
  });

  it('is not known if other Gateways of the class may exist elsewhere', () => {
    expect(conflicted(['GatewayClass'], gatewayClass, gatewayOf('g'))).toBe('Unknown');
    expect(conflicted([], gatewayOf('g'))).toBe('Unknown');
  });

  it('does not depend on a ListenerSet that the Gateway may accept, because the Gateway precedes it', () => {
    expect(conflicted(gateways, gatewayClass, gatewayOf('g'), setOf('s', 80))).toBe('False');
  });
});
