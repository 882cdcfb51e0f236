import { Gateway, GatewayClass, Mesh, Namespace, Pod, Service, ServiceEntry } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { additiveSpec, bareSpec, istio, type StanzaReader } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { kindsOf, type Row } from './row.ts';

const notes = ['The root namespace of the mesh is taken to be istio-system.'];

/** Returns how policies attach: to targets by name or by label, to their namespace, or to the mesh. */
const attached = (rootSelectors: 'all' | 'nothing'): Omit<Row, 'kind'> => ({
  policyClass: 'Inherited',
  ...istio({ rootSelectors }),
  targets: [Mesh, Namespace, Pod, GatewayClass, Gateway, Service, ServiceEntry],
  effectiveTargets: [Pod, Gateway, Service, ServiceEntry],
  hierarchy: 'istio',
  status: 'other',
  notes,
});

/** Its selector is in another field than that of the other kinds. */
const byName: Omit<Row, 'kind'> = {
  policyClass: 'Inherited',
  targets: [GatewayClass, Gateway, Service, ServiceEntry],
  effectiveTargets: [Gateway, Service, ServiceEntry],
  crossNamespace: 'allow',
  extensionRefs: true,
  hierarchy: 'istio',
  status: 'other',
  notes: [...notes, 'Those without targetRefs are not attached.'],
};

const targetFields = ['selector'];

/** One policy counts on each level, and a more specific one replaces single modes. */
const byMode: Pick<Row, 'profile'> = {
  profile: { stanzas: modesOf(bareSpec({ strategies: { patch }, strategyField: false })), sameLevel: 'reject-newer' },
};

const system = 'Istio';
const source = 'https://istio.io/latest/docs/reference/config/type/policy-target-reference/';

/** The policy kinds of Istio. */
export const istioKinds = [
  ...kindsOf({ system, source, group: 'security.istio.io', versions: ['v1', 'v1beta1'] }, [
    {
      kind: 'AuthorizationPolicy',
      ...attached('all'),
      profile: {
        stanzas: additiveSpec({
          by: 'action',
          groups: ['CUSTOM', 'DENY', 'AUDIT', 'ALLOW'],
          otherwise: 'ALLOW',
          targetFields,
        }),
      },
    },
    {
      kind: 'RequestAuthentication',
      ...attached('all'),
      profile: { stanzas: additiveSpec({ groups: ['policies'], targetFields }) },
    },
    {
      kind: 'PeerAuthentication',
      ...attached('nothing'),
      targets: [Mesh, Namespace, Pod],
      effectiveTargets: [Pod],
      ...byMode,
      notes: [...notes, 'The Pods of waypoints are left out.'],
    },
  ]),
  ...kindsOf({ system, source, group: 'telemetry.istio.io', versions: ['v1', 'v1alpha1'] }, [
    {
      kind: 'Telemetry',
      ...attached('nothing'),
      notes: [
        ...notes,
        'Metrics and access logs are merged by provider, which depends on the configuration of the mesh.',
      ],
    },
  ]),
  ...kindsOf({ system, source, group: 'extensions.istio.io', versions: ['v1alpha1'] }, [
    { kind: 'WasmPlugin', ...attached('all') },
    { kind: 'TrafficExtension', ...attached('all') },
  ]),
  ...kindsOf({ system, source, group: 'networking.istio.io', versions: ['v1alpha3'] }, [
    { kind: 'EnvoyFilter', ...byName },
  ]),
];

/** Reads specs next to a selector. A mode that is UNSET is taken from the level above, like an absent one. */
function modesOf({ shape: _shape, read, ...reader }: StanzaReader): StanzaReader {
  return {
    ...reader,
    read: ({ selector: _selector, mtls, portLevelMtls, ...spec }) =>
      read({
        ...spec,
        ...(mtls === undefined ? {} : { mtls: withoutUnset(mtls) }),
        ...(portLevelMtls === undefined ? {} : { portLevelMtls: eachWithoutUnset(portLevelMtls) }),
      }),
  };
}

function withoutUnset(value: JsonValue): JsonValue {
  return isJsonObject(value) && value.mode === 'UNSET' ? {} : value;
}

function eachWithoutUnset(ports: JsonValue): JsonValue {
  if (!isJsonObject(ports)) return ports;
  const set = Object.entries(ports).map(
    ([port, value]) => [port, value === undefined ? {} : withoutUnset(value)] as const,
  );
  return Object.fromEntries(set) satisfies JsonObject;
}
