import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { gateway, route, service } from '../gateway-api.fixture.ts';
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

/** A field that refers to an object: how it is written, and the condition that depends on it. */
interface Field {
  readonly holder: (ref: object) => KubernetesObject;
  readonly type: string;
  readonly read: Reading;
}

const https = (more: object = {}) => ({ name: 'l', port: 443, protocol: 'HTTPS', tls: {}, ...more });
const ofListener: Reading = (topology) => listenerStatuses(topology, gatewayLocator)[0]?.conditions;
const ofGateway: Reading = (topology) => gatewayStatus(topology, gatewayLocator)?.conditions;
const ofRoute: Reading = (topology) =>
  routeStatuses(topology, 'httproute.gateway.networking.k8s.io:default/r')[0]?.conditions;

const fields: Readonly<Record<string, Field>> = {
  'listeners[].tls.certificateRefs': {
    holder: (ref) => gateway('g', { listeners: [https({ tls: { certificateRefs: [ref] } })] }),
    type: 'ResolvedRefs',
    read: ofListener,
  },
  'tls.frontend.default.validation.caCertificateRefs': {
    holder: (ref) =>
      gateway('g', {
        listeners: [https()],
        tls: { frontend: { default: { validation: { caCertificateRefs: [ref] } } } },
      }),
    type: 'ResolvedRefs',
    read: ofListener,
  },
  'tls.backend.clientCertificateRef': {
    holder: (ref) => gateway('g', { listeners: [https()], tls: { backend: { clientCertificateRef: ref } } }),
    type: 'ResolvedRefs',
    read: ofGateway,
  },
  'infrastructure.parametersRef': {
    holder: (ref) => gateway('g', { listeners: [https()], infrastructure: { parametersRef: ref } }),
    type: 'Accepted',
    read: ofGateway,
  },
  'rules[].backendRefs': {
    holder: (ref) =>
      route('HTTPRoute', 'r', { parentRefs: [{ name: 'g' }], rules: [{ backendRefs: [{ ...ref, port: 80 }] }] }),
    type: 'ResolvedRefs',
    read: ofRoute,
  },
};

const kinds: Readonly<Record<string, { readonly group: string; readonly kind: string; readonly apiVersion: string }>> =
  {
    Secret: { group: '', kind: 'Secret', apiVersion: 'v1' },
    ConfigMap: { group: '', kind: 'ConfigMap', apiVersion: 'v1' },
    Service: { group: '', kind: 'Service', apiVersion: 'v1' },
    'a known kind of a vendor': { group: 'vault.example', kind: 'Vault', apiVersion: 'vault.example/v1' },
    'an unknown kind of a vendor': { group: 'other.example', kind: 'Bag', apiVersion: 'other.example/v1' },
  };

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
    holder.kind === 'Gateway' ? [] : [gateway('g', { listeners: [{ name: 'l', port: 80, protocol: 'HTTP' }] })];
  const given = name === 'Service' ? service('o', [{ port: 80 }], namespace) : object;
  topology.apply({ upsert: [holder, ...edge, ...(isGiven ? [given] : [])] });
  return field.read(topology)?.find(({ type }) => type === field.type)?.status ?? 'none';
}

describe('the condition about a reference', () => {
  it.each<[string, string, readonly [exists: string, missing: string, notGranted: string]]>([
    ['listeners[].tls.certificateRefs', 'Secret', ['True', 'False', 'False']],
    ['listeners[].tls.certificateRefs', 'ConfigMap', ['False', 'False', 'False']],
    ['listeners[].tls.certificateRefs', 'Service', ['False', 'False', 'False']],
    ['listeners[].tls.certificateRefs', 'a known kind of a vendor', ['Unknown', 'False', 'False']],
    ['listeners[].tls.certificateRefs', 'an unknown kind of a vendor', ['False', 'False', 'False']],
    ['tls.frontend.default.validation.caCertificateRefs', 'ConfigMap', ['True', 'False', 'False']],
    ['tls.frontend.default.validation.caCertificateRefs', 'Secret', ['Unknown', 'False', 'False']],
    ['tls.frontend.default.validation.caCertificateRefs', 'Service', ['False', 'False', 'False']],
    ['tls.frontend.default.validation.caCertificateRefs', 'a known kind of a vendor', ['Unknown', 'False', 'False']],
    ['tls.frontend.default.validation.caCertificateRefs', 'an unknown kind of a vendor', ['False', 'False', 'False']],
    ['tls.backend.clientCertificateRef', 'Secret', ['True', 'False', 'False']],
    ['tls.backend.clientCertificateRef', 'Service', ['False', 'False', 'False']],
    ['tls.backend.clientCertificateRef', 'a known kind of a vendor', ['Unknown', 'False', 'False']],
    ['tls.backend.clientCertificateRef', 'an unknown kind of a vendor', ['False', 'False', 'False']],
    ['infrastructure.parametersRef', 'ConfigMap', ['True', 'False', 'False']],
    ['infrastructure.parametersRef', 'Service', ['Unknown', 'False', 'False']],
    ['infrastructure.parametersRef', 'a known kind of a vendor', ['True', 'False', 'False']],
    ['infrastructure.parametersRef', 'an unknown kind of a vendor', ['Unknown', 'Unknown', 'Unknown']],
    ['rules[].backendRefs', 'Service', ['True', 'False', 'False']],
    ['rules[].backendRefs', 'ConfigMap', ['Unknown', 'False', 'False']],
    ['rules[].backendRefs', 'a known kind of a vendor', ['Unknown', 'False', 'False']],
    ['rules[].backendRefs', 'an unknown kind of a vendor', ['False', 'False', 'False']],
  ])(
    'in %s to %s is, if the object exists, is missing, or is elsewhere without a grant: %s',
    (name, kind, expected) => {
      const field = fields[name] as Field;
      expect(states.map((state) => conditionFor(field, kind, state))).toEqual(expected);
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
