import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { gateway, listenerSet, route, service } from '../gateway-api.fixture.ts';
import { gatewayApi } from '../gateway-api.ts';
import { ConfigMap } from '../kinds/config-map.ts';
import { Secret } from '../kinds/secret.ts';
import type { DataPlane } from '../listeners/data-plane.ts';
import { gatewayStatus, listenerStatuses } from './gateway-status.ts';
import { routeStatuses } from './route-statuses.ts';

/** A kind of a vendor. In the topology it is known by its name only, as kinds of other systems are. */
const Vault = defineTargetKind({ group: 'vault.example', kind: 'Vault', isForeign: true });

const gatewayLocator = 'gateway.gateway.networking.k8s.io:default/g';
const targetKinds = [...gatewayApi(), Secret, ConfigMap, Vault];

type Reading = (topology: ReturnType<typeof createTopology>) => readonly { type: string; status: string }[] | undefined;

/** A field that refers to an object: how it is written, the condition that depends on it, and the kinds that it may refer to. */
interface Field {
  readonly holder: (ref: object) => KubernetesObject;
  readonly type: string;
  readonly read: Reading;
  /** The kinds that Gateway API names, or that any implementation may support if they are known. */
  readonly wanted: readonly string[];
  /** The kinds of the core group that an implementation may support. Default: none. */
  readonly choices?: readonly string[];
  /** Whether the implementation alone decides which kinds it supports. Default: Gateway API names some. */
  readonly isOpen?: boolean;
}

const https = (more: object = {}) => ({ name: 'l', port: 443, protocol: 'HTTPS', tls: {}, ...more });
const ofListener: Reading = (topology) => listenerStatuses(topology, gatewayLocator)[0]?.conditions;
const ofGateway: Reading = (topology) => gatewayStatus(topology, gatewayLocator)?.conditions;
const ofSet: Reading = (topology) =>
  listenerStatuses(topology, 'listenerset.gateway.networking.k8s.io:default/s')[0]?.conditions;
const ofRoute: Reading = (topology) => {
  const [node] = [...topology.targets].filter(
    ({ ref, section }) => ref.kind.endsWith('Route') && section === undefined,
  );
  return node && routeStatuses(topology, node)[0]?.conditions;
};

const ofBackends = (kind: string, backendsOf = (ref: object): object => ({ backendRefs: [ref] })): Field => ({
  holder: (ref) => route(kind, 'r', { parentRefs: [{ name: 'g' }], rules: [backendsOf({ ...ref, port: 80 })] }),
  type: 'ResolvedRefs',
  read: ofRoute,
  wanted: ['Service'],
  choices: ['ConfigMap', 'Secret'],
});

const authority = { type: 'ResolvedRefs', read: ofListener, wanted: ['ConfigMap'], choices: ['Secret'] } as const;
const withAuthority = (ref: object) => ({ validation: { caCertificateRefs: [ref] } });

const fields: Readonly<Record<string, Field>> = {
  'listeners[].tls.certificateRefs of a Gateway': {
    holder: (ref) => gateway('g', { listeners: [https({ tls: { certificateRefs: [ref] } })] }),
    type: 'ResolvedRefs',
    read: ofListener,
    wanted: ['Secret'],
  },
  'listeners[].tls.certificateRefs of a ListenerSet': {
    holder: (ref) =>
      listenerSet('s', { parentRef: { name: 'g' }, listeners: [https({ tls: { certificateRefs: [ref] } })] }),
    type: 'ResolvedRefs',
    read: ofSet,
    wanted: ['Secret'],
  },
  'tls.frontend.default.validation.caCertificateRefs': {
    ...authority,
    holder: (ref) => gateway('g', { listeners: [https()], tls: { frontend: { default: withAuthority(ref) } } }),
  },
  'tls.frontend.perPort[].tls.validation.caCertificateRefs': {
    ...authority,
    holder: (ref) => {
      const frontend = { default: {}, perPort: [{ port: 443, tls: withAuthority(ref) }] };
      return gateway('g', { listeners: [https()], tls: { frontend } });
    },
  },
  'tls.backend.clientCertificateRef': {
    holder: (ref) => gateway('g', { listeners: [https()], tls: { backend: { clientCertificateRef: ref } } }),
    type: 'ResolvedRefs',
    read: ofGateway,
    wanted: ['Secret'],
  },
  'infrastructure.parametersRef': {
    holder: (ref) => gateway('g', { listeners: [https()], infrastructure: { parametersRef: ref } }),
    type: 'Accepted',
    read: ofGateway,
    wanted: ['ConfigMap', 'a known kind of a vendor'],
    isOpen: true,
  },
  ...Object.fromEntries(
    ['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'UDPRoute'].map((kind) => [
      `rules[].backendRefs of ${kind}`,
      ofBackends(kind),
    ]),
  ),
  'rules[].filters[].requestMirror.backendRef': ofBackends('HTTPRoute', (backendRef) => ({
    filters: [{ type: 'RequestMirror', requestMirror: { backendRef } }],
  })),
};

const kinds: Readonly<Record<string, { readonly group: string; readonly kind: string; readonly apiVersion: string }>> =
  {
    Secret: { group: '', kind: 'Secret', apiVersion: 'v1' },
    ConfigMap: { group: '', kind: 'ConfigMap', apiVersion: 'v1' },
    Service: { group: '', kind: 'Service', apiVersion: 'v1' },
    'a known kind of a vendor': { group: 'vault.example', kind: 'Vault', apiVersion: 'vault.example/v1' },
    'an unknown kind of a vendor': { group: 'other.example', kind: 'Bag', apiVersion: 'other.example/v1' },
  };

const listeners = [
  { name: 'http', port: 80, protocol: 'HTTP' },
  { name: 'tls', port: 8443, protocol: 'TLS', tls: { mode: 'Passthrough' } },
  { name: 'tcp', port: 9000, protocol: 'TCP' },
  { name: 'udp', port: 53, protocol: 'UDP' },
];

const states = ['exists', 'is missing', 'exists elsewhere without a grant'] as const;

function conditionFor(field: Field, kind: string, state: (typeof states)[number]): string {
  const { group, kind: name, apiVersion } = kinds[kind] as (typeof kinds)[string];
  const namespace = state === 'exists elsewhere without a grant' ? 'abroad' : 'default';
  const object = { apiVersion, kind: name, metadata: { name: 'o', namespace } };
  const isGiven = state !== 'is missing' && targetKinds.some((it) => it.group === group && it.kind === name);
  const topology = createTopology({ targetKinds });
  const ref = { group, kind: name, name: 'o', ...(namespace === 'abroad' ? { namespace } : {}) };
  const holder = field.holder(ref);
  const edge =
    holder.kind === 'Gateway' ? [] : [gateway('g', { allowedListeners: { namespaces: { from: 'All' } }, listeners })];
  const given = name === 'Service' ? service('o', [{ port: 80 }], namespace) : object;
  topology.apply({ upsert: [holder, ...edge, ...(isGiven ? [given] : [])] });
  return field.read(topology)?.find(({ type }) => type === field.type)?.status ?? 'none';
}

/** Returns the statuses of the condition in each of the states. An implementation may support kinds of vendors that are known. */
function expectedFor({ wanted, choices = [], isOpen = false }: Field, kind: string): readonly string[] {
  if (wanted.includes(kind)) return ['True', 'False', 'False'];
  const isUnknown = kind === 'an unknown kind of a vendor';
  if (isUnknown) return states.map(() => (isOpen ? 'Unknown' : 'False'));
  return [
    isOpen || choices.includes(kind) || kind === 'a known kind of a vendor' ? 'Unknown' : 'False',
    'False',
    'False',
  ];
}

describe('the condition about a reference', () => {
  const table = Object.keys(fields).flatMap((field) => Object.keys(kinds).map((kind) => [field, kind] as const));

  it.each(table)(
    'in %s to %s follows from whether it exists, is missing, or is elsewhere without a grant',
    (name, kind) => {
      const field = fields[name] as Field;
      expect(states.map((state) => conditionFor(field, kind, state))).toEqual(expectedFor(field, kind));
    },
  );

  it.each<[string, DataPlane, string]>([
    ['is not known to accept', {}, 'Unknown'],
    ['accepts', { missingPorts: 'accepted' }, 'True'],
    ['refuses', { missingPorts: 'refused' }, 'False'],
  ])(
    'depends on the data plane for a port that the Service does not have: one that %s these',
    (_, dataPlane, expected) => {
      const topology = createTopology({ targetKinds: gatewayApi({ dataPlane }) });
      const edge = gateway('g', { listeners: [{ name: 'l', port: 80, protocol: 'HTTP' }] });
      const rules = [{ backendRefs: [{ name: 's', port: 81 }] }];
      const holder = route('HTTPRoute', 'r', { parentRefs: [{ name: 'g' }], rules });
      topology.apply({ upsert: [edge, holder, service('s', [{ port: 80 }])] });
      expect(ofRoute(topology)?.find(({ type }) => type === 'ResolvedRefs')?.status).toBe(expected);
    },
  );
});
