import { Mesh, Namespace, Pod } from '@policy-machinery/gateway-api';
import { fieldWise, patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind, istio, type StanzaReader } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from '@policy-machinery/resource';
import { z } from 'zod';

/**
 * Policies of which one counts on each level: that of the mesh, of the namespace and of the workload. A younger one on the same level is in
 * conflict, and a selector in the root namespace selects nothing.
 */
const onePerLevel = {
  ...istio({ rootSelectors: 'nothing' }),
  sameLevel: 'reject-newer',
  targets: [Mesh, Namespace, Pod],
  effectiveTargets: [Pod],
} as const;

const mode = z.strictObject({ mode: z.enum(['DISABLE', 'PERMISSIVE', 'STRICT']).optional() });

/** Mutual TLS, by workload and port. */
export const PeerAuthentication = definePolicyKind({
  ...onePerLevel,
  group: 'security.istio.io',
  version: 'v1',
  kind: 'PeerAuthentication',
  stanzas: withoutSelector(bareSpec({ strategies: { patch }, strategyField: false }), withoutUnsetModes),
  spec: z.strictObject({ mtls: mode.optional(), portLevelMtls: z.record(z.string(), mode).optional() }),
});

const tracing = z.strictObject({
  providers: z.array(z.strictObject({ name: z.string() })).optional(),
  randomSamplingPercentage: z.number().min(0).max(100).optional(),
  disableSpanReporting: z.boolean().optional(),
  useRequestIdForTraceSampling: z.boolean().optional(),
  customTags: z.record(z.string(), z.looseObject({})).optional(),
});
/** The settings of one direction are merged one by one, and each of them is replaced as a whole. */
const bySetting = fieldWise({ depth: 3 });

/** What is traced, in each direction. */
export const Telemetry = definePolicyKind({
  ...onePerLevel,
  group: 'telemetry.istio.io',
  version: 'v1',
  kind: 'Telemetry',
  plural: 'telemetries',
  stanzas: withoutSelector(bareSpec({ strategies: { bySetting }, strategyField: false }), byDirection),
  spec: z.strictObject({ tracing: z.strictObject({ CLIENT: tracing, SERVER: tracing }).partial().optional() }),
});

/** Reads specs beside a selector, and brings them into the form in which they are merged. */
function withoutSelector(reader: StanzaReader, form: (spec: JsonObject) => JsonObject): StanzaReader {
  const { shape: _, ...rest } = reader;
  return {
    ...rest,
    read({ selector: _selector, ...spec }) {
      return reader.read(form(spec));
    },
  };
}

/** A mode that is UNSET is taken from the level above, as one that is absent. */
function withoutUnsetModes({ mtls, portLevelMtls, ...rest }: JsonObject): JsonObject {
  const set = (value: JsonValue | undefined) => (isJsonObject(value) && value.mode === 'UNSET' ? {} : value);
  const ports = isJsonObject(portLevelMtls)
    ? Object.fromEntries(Object.entries(portLevelMtls).map(([port, value]) => [port, set(value) ?? {}]))
    : portLevelMtls;
  const mtlsSet = set(mtls);
  return {
    ...rest,
    ...(mtlsSet !== undefined && { mtls: mtlsSet }),
    ...(ports !== undefined && { portLevelMtls: ports }),
  };
}

/** The entries of a policy for each direction, as one: of two that set something, the later one counts. */
function byDirection({ tracing, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(tracing)) return tracing === undefined ? rest : { ...rest, tracing };
  const directions: Record<string, JsonObject> = {};
  for (const { match, ...settings } of objectsIn(tracing)) {
    const mode = isJsonObject(match) ? match.mode : undefined;
    const meant = mode === 'CLIENT' || mode === 'SERVER' ? [mode] : ['CLIENT', 'SERVER'];
    for (const direction of meant) directions[direction] = { ...directions[direction], ...settings };
  }
  return { ...rest, tracing: directions };
}
