import { Gateway, GatewayClass, Mesh, Namespace, Pod, Service, ServiceEntry } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { additiveSpec, bareSpec, type IstioOptions, istio, type StanzaReader } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonValue, objectIn } from '@policy-machinery/resource';
import { telemetryStanzas } from '../telemetry/read-telemetry.ts';
import { kindsOf, type Row } from './row.ts';

const notes = ['The root namespace of the mesh is taken to be istio-system.'];

/** Returns how policies attach: to targets by name or by label, to their namespace, or to the mesh. */
const attached = (options: IstioOptions = {}): Omit<Row, 'kind'> => ({
  policyClass: 'Inherited',
  ...istio(options),
  targets: [Mesh, Namespace, Pod, GatewayClass, Gateway, Service, ServiceEntry],
  effectiveTargets: [Pod, Gateway, Service, ServiceEntry],
  hierarchy: 'istio',
  status: 'conditions',
  notes,
});

const targetFields = ['selector'];
const listAlone = { targetRefs: ['namespace'] };

/** One policy counts on each level, and a more specific one replaces single modes. */
const byMode: Pick<Row, 'profile'> = {
  profile: {
    stanzas: modesOf(
      bareSpec({
        strategies: { patch },
        strategyField: false,
        because: "a workload's mode prevails over its namespace's, and that over the mesh's",
      }),
    ),
    sameLevel: 'reject-newer',
    conflictReason: 'only the oldest counts for a workload, a namespace or the mesh',
  },
};

const system = 'Istio';
const source = 'https://istio.io/latest/docs/reference/config/type/policy-target-reference/';

export const istioKinds = [
  ...kindsOf({ system, source, group: 'security.istio.io', versions: ['v1', 'v1beta1'] }, [
    {
      kind: 'AuthorizationPolicy',
      ...attached(),
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
      ...attached(),
      profile: { stanzas: additiveSpec({ groups: ['policies'], targetFields }) },
    },
    {
      kind: 'PeerAuthentication',
      ...attached({ rootSelectors: 'nothing' }),
      targets: [Mesh, Namespace, Pod],
      targetFields: {},
      effectiveTargets: [Pod],
      ...byMode,
      notes: [...notes, 'The Pods of waypoints are left out.'],
    },
  ]),
  ...kindsOf({ system, source, group: 'telemetry.istio.io', versions: ['v1', 'v1alpha1'] }, [
    {
      kind: 'Telemetry',
      ...attached({ rootSelectors: 'nothing' }),
      profile: {
        stanzas: telemetryStanzas,
        sameLevel: 'established-challenger',
        singleAt: [Mesh, Namespace],
        conflictReason: 'only the oldest counts for a namespace or the mesh',
      },
      notes: [
        ...notes,
        'Effective specs are by side and provider. Settings without providers are at the providers of the last entry above, and under inherited: default providers of the mesh are not read.',
        'Metrics can differ from Istio where a policy is merged that has several lists of providers, or disables all metrics last.',
        'Among policies on one workload, the newest prevails.',
      ],
    },
  ]),
  ...kindsOf({ system, source, group: 'extensions.istio.io', versions: ['v1alpha1'] }, [
    { kind: 'WasmPlugin', ...attached() },
    { kind: 'TrafficExtension', ...attached(), targetFields: listAlone },
  ]),
  ...kindsOf({ system, source, group: 'networking.istio.io', versions: ['v1alpha3'] }, [
    {
      kind: 'EnvoyFilter',
      ...attached({ selectorField: 'workloadSelector' }),
      // Filters are chosen by proxy, regardless of the Services behind it.
      targets: [Mesh, Namespace, Pod, GatewayClass, Gateway],
      effectiveTargets: [Pod, Gateway],
      targetFields: listAlone,
    },
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
  return Object.fromEntries(Object.entries(ports).map(([port, value]) => [port, withoutUnset(objectIn(value))]));
}
