import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { gateway, listenerSet, referenceGrant } from '../gateway-api.fixture.ts';
import { gatewayApi } from '../gateway-api.ts';
import { ConfigMap } from '../kinds/config-map.ts';
import { Secret } from '../kinds/secret.ts';
import type { DataPlane } from '../listeners/data-plane.ts';
import { gatewayStatus } from './gateway-status.ts';

const Parameters = defineTargetKind({ group: 'example.com', kind: 'Parameters' });
const pem = '-----BEGIN CERTIFICATE-----';
const listeners = [
  { name: 'http', port: 80, protocol: 'HTTP' },
  { name: 'https', port: 443, protocol: 'HTTPS', tls: {}, allowedRoutes: {} },
  { name: 'other', port: 8443, protocol: 'HTTPS', tls: {}, hostname: 'a.b' },
];
const object = (
  kind: string,
  name: string,
  data?: object,
  namespace = 'default',
  apiVersion = 'v1',
): KubernetesObject =>
  ({ apiVersion, kind, metadata: { name, namespace }, ...(data === undefined ? {} : { data }) }) as KubernetesObject;
const ca = (name = 'ca', namespace?: string) => ({
  group: '',
  kind: 'ConfigMap',
  name,
  ...(namespace === undefined ? {} : { namespace }),
});
const validating = (...caCertificateRefs: readonly object[]) => ({ validation: { caCertificateRefs } });

const topologyOf = (
  spec: object,
  others: readonly KubernetesObject[],
  kinds = [Secret, ConfigMap, Parameters],
  dataPlane?: DataPlane,
) => {
  const topology = createTopology({ targetKinds: [...gatewayApi(dataPlane && { dataPlane }), ...kinds] });
  topology.apply({ upsert: [gateway('edge', { gatewayClassName: 'c', listeners, ...spec }), ...others] });
  return topology;
};
const shown = ({ type, status, reason }: { type: string; status: string; reason: string }) =>
  `${type}=${status}/${reason}`;
const edge = 'gateway.gateway.networking.k8s.io:default/edge';

/** `Accepted` and `ResolvedRefs` of each listener. */
const ofListeners = (
  spec: object,
  others: readonly KubernetesObject[] = [],
  kinds?: readonly (typeof Secret)[],
  dataPlane?: DataPlane,
) =>
  gatewayStatus(topologyOf(spec, others, kinds?.slice(), dataPlane), edge)?.listeners.map(({ name, conditions }) =>
    [name, ...conditions.filter(({ type }) => /Accepted|Resolved/.test(type)).map(shown)].join(' '),
  );
const good = 'Accepted=True/Accepted ResolvedRefs=True/ResolvedRefs';
const bad = (reason: string) => `Accepted=False/NoValidCACertificate ResolvedRefs=False/${reason}`;

describe('CA certificates for clients (GEP-91)', () => {
  it.each<[string, object, readonly KubernetesObject[], string]>([
    ['exists', ca(), [object('ConfigMap', 'ca', { 'ca.crt': pem })], good],
    ['exists, without its data', ca(), [object('ConfigMap', 'ca')], good],
    ['does not exist', ca(), [], bad('InvalidCACertificateRef')],
    ['has no ca.crt', ca(), [object('ConfigMap', 'ca', { cert: pem })], bad('InvalidCACertificateRef')],
    ['is of another kind', { group: 'example.com', kind: 'Bundle', name: 'ca' }, [], bad('InvalidCACertificateKind')],
    [
      'is in another namespace, without a grant',
      ca('ca', 'pki'),
      [object('ConfigMap', 'ca', { 'ca.crt': pem }, 'pki')],
      bad('RefNotPermitted'),
    ],
    [
      'is in another namespace, with a grant',
      ca('ca', 'pki'),
      [
        object('ConfigMap', 'ca', { 'ca.crt': pem }, 'pki'),
        referenceGrant('pki', [{ kind: 'Gateway', namespace: 'default' }], [{ group: '', kind: 'ConfigMap' }]),
      ],
      good,
    ],
    ['has no name', {}, [], bad('InvalidCACertificateRef')],
  ])('decide about the HTTPS listeners of a Gateway if the only one %s', (_, ref, others, expected) => {
    expect(ofListeners({ tls: { frontend: { default: validating(ref) } } }, others)).toEqual([
      `http ${good}`,
      `https ${expected}`,
      `other ${expected}`,
    ]);
  });

  it('of a port take the place of the others', () => {
    const perPort = [{ port: 8443, tls: validating(ca('other')) }];
    const frontend = { default: validating(ca()), perPort };
    expect(ofListeners({ tls: { frontend } }, [object('ConfigMap', 'ca')])).toEqual([
      `http ${good}`,
      `https ${good}`,
      `other ${bad('InvalidCACertificateRef')}`,
    ]);
  });

  it('leave a listener accepted while one of them is valid', () => {
    const frontend = { default: validating(ca('gone'), ca()) };
    expect(ofListeners({ tls: { frontend } }, [object('ConfigMap', 'ca')])?.[1]).toBe(
      'https Accepted=True/Accepted ResolvedRefs=False/InvalidCACertificateRef',
    );
  });

  it.each<['accepted' | 'refused' | 'both', string, object]>([
    ['accepted', good, { 'ca.crt': btoa(pem) }],
    ['accepted', bad('InvalidCACertificateRef'), { 'ca.crt': btoa('none') }],
    ['refused', bad('InvalidCACertificateKind'), { 'ca.crt': btoa(pem) }],
    ['both', 'Accepted=Unknown/Pending ResolvedRefs=Unknown/Pending', { 'ca.crt': btoa(pem) }],
  ])('in Secrets count as the data plane reads them: %s, %s', (caCertificatesInSecrets, expected, data) => {
    const spec = { tls: { frontend: { default: validating({ group: '', kind: 'Secret', name: 'ca' }) } } };
    const secret = object('Secret', 'ca', data);
    expect(ofListeners(spec, [secret], undefined, { caCertificatesInSecrets })?.[1]).toBe(`https ${expected}`);
  });

  it('are unknown if the topology lacks ConfigMaps', () => {
    const spec = { tls: { frontend: { default: validating(ca()) } } };
    expect(ofListeners(spec, [], [Secret])?.[1]).toBe('https Accepted=Unknown/Pending ResolvedRefs=Unknown/Pending');
  });

  it('decide about the listeners of ListenerSets, too', () => {
    const spec = {
      allowedListeners: { namespaces: { from: 'Same' } },
      tls: { frontend: { default: validating(ca()) } },
    };
    const set = listenerSet('more', {
      parentRef: { name: 'edge' },
      listeners: [{ name: 's', port: 9443, protocol: 'HTTPS', tls: {} }],
    });
    const topology = topologyOf(spec, [set]);
    const status = () =>
      gatewayStatus(topology, 'listenerset.gateway.networking.k8s.io:default/more')?.listeners[0]?.conditions.map(
        shown,
      )[0];
    expect(status()).toBe('Accepted=False/NoValidCACertificate');
    topology.apply({ upsert: [object('ConfigMap', 'ca')] });
    expect(status()).toBe('Accepted=True/Accepted');
  });
});

describe('the configuration of a Gateway', () => {
  const conditions = (spec: object, others: readonly KubernetesObject[] = [], kinds?: readonly (typeof Secret)[]) =>
    gatewayStatus(topologyOf(spec, others, kinds?.slice()), edge)
      ?.conditions.filter(({ type }) => type !== 'Programmed')
      .map(shown);
  const parameters = { group: 'example.com', kind: 'Parameters', name: 'p' };

  it.each<[string, object, readonly KubernetesObject[], string]>([
    [
      'parameters that exist',
      { infrastructure: { parametersRef: parameters } },
      [object('Parameters', 'p', undefined, 'default', 'example.com/v1')],
      'Accepted=True/Accepted',
    ],
    [
      'parameters that do not exist',
      { infrastructure: { parametersRef: parameters } },
      [],
      'Accepted=False/InvalidParameters',
    ],
    [
      'parameters of a kind that the topology does not know',
      { infrastructure: { parametersRef: { ...parameters, kind: 'Other' } } },
      [],
      'Accepted=Unknown/Pending',
    ],
    [
      'parameters without a name',
      { infrastructure: { parametersRef: { group: 'example.com', kind: 'Parameters' } } },
      [],
      'Accepted=False/InvalidParameters',
    ],
    ['only labels', { infrastructure: { labels: { a: 'b' } } }, [], 'Accepted=True/Accepted'],
    ['an address', { addresses: [{ value: '192.0.2.1' }] }, [], 'Accepted=Unknown/Pending'],
    [
      'an address of an implementation',
      { addresses: [{ type: 'example.com/pool', value: 'x' }] },
      [],
      'Accepted=Unknown/Pending',
    ],
    [
      'an address of a type that does not exist',
      { addresses: [{ value: '192.0.2.1' }, { type: 'Carrier', value: 'pigeon' }] },
      [],
      'Accepted=False/UnsupportedAddress',
    ],
  ])('decides whether the Gateway is accepted: %s', (_, spec, others, expected) => {
    expect(conditions(spec, others)).toEqual([expected]);
  });

  it.each<[string, object, readonly KubernetesObject[], string]>([
    ['exists', { name: 'client' }, [object('Secret', 'client')], 'True/ResolvedRefs'],
    ['does not exist', { name: 'client' }, [], 'False/InvalidClientCertificateRef'],
    [
      'holds no key',
      { name: 'client' },
      [object('Secret', 'client', { 'tls.crt': btoa(pem) })],
      'False/InvalidClientCertificateRef',
    ],
    [
      'is in another namespace, without a grant',
      { name: 'client', namespace: 'pki' },
      [object('Secret', 'client', undefined, 'pki')],
      'False/RefNotPermitted',
    ],
  ])(
    'has the condition ResolvedRefs if it names a certificate for backends (GEP-3155), which %s',
    (_, clientCertificateRef, others, expected) => {
      expect(conditions({ tls: { backend: { clientCertificateRef } } }, others)?.[1]).toBe(`ResolvedRefs=${expected}`);
    },
  );

  it('has ResolvedRefs=False if a listener has, and Unknown if Secrets are unknown', () => {
    const backend = { clientCertificateRef: { name: 'client' } };
    const unresolved = [{ name: 'l', port: 443, protocol: 'HTTPS', tls: { certificateRefs: [{ name: 'gone' }] } }];
    expect(conditions({ tls: { backend }, listeners: unresolved }, [object('Secret', 'client')])?.[1]).toBe(
      'ResolvedRefs=False/ListenersNotResolved',
    );
    expect(conditions({ tls: { backend } }, [], [])?.[1]).toBe('ResolvedRefs=Unknown/Pending');
  });

  it('says so if it lets clients in without a valid certificate', () => {
    const frontend = { default: { validation: { caCertificateRefs: [ca()], mode: 'AllowInsecureFallback' } } };
    expect(conditions({ tls: { frontend } }, [object('ConfigMap', 'ca')])).toEqual([
      'Accepted=True/Accepted',
      'InsecureFrontendValidationMode=True/ConfigurationChanged',
    ]);
  });
});
