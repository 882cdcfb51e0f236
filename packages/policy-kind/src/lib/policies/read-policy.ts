import {
  creationTimeOf,
  formatLocator,
  formatPointer,
  type Issue,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  messageOf,
  type ObjectFault,
  parsePointer,
  type ResourceScope,
  refOf,
} from '@policy-machinery/resource';
import { jsonFaults } from '@policy-machinery/resource/inner';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { OtherVersion } from '../kind/other-version.ts';
import { holdsMoreThan, maxValues } from '../stanzas/holds-more-than.ts';
import type { LayerReading, StanzaReader } from '../stanzas/stanza-reader.ts';
import type { Layer, Policy, PolicyReading } from './policy.ts';
import { schemaFaults } from './schema-faults.ts';

/** Deeper specs are refused. Kubernetes' own schemas are much shallower. */
const maxDepth = 100;

/** The part of a kind that says how to read policies of each version. */
interface VersionedKind {
  readonly group: string;
  readonly version: string;
  readonly scope: ResourceScope;
  readonly otherVersions: readonly OtherVersion[];
}

/** Reads a policy: checks that its spec is valid JSON, splits its stanzas, and validates each spec proper. */
export function readPolicy<Spec>(
  resource: KubernetesObject,
  { group, version, scope, otherVersions }: VersionedKind,
  stanzas: StanzaReader,
  schema: StandardSchemaV1,
  faultsOf: (policy: KubernetesObject) => readonly ObjectFault[] = () => [],
): PolicyReading<Spec> {
  const ref = refOf(resource, scope);
  const locator = formatLocator(ref);
  const issues: Issue[] = [];
  const fail = (code: string, message: string, pointer: string): void => {
    issues.push({ code, severity: 'error', message, resource: locator, pointer });
  };

  const other = otherVersions.find((it) => resource.apiVersion === `${group}/${it.version}`);
  const written = layersSafely(resource, stanzas, fail);
  for (const reading of written) validate(reading, other?.spec ?? schema, fail);
  const readings =
    other?.convert === undefined || issues.length > 0 ? written : converted(written, other, version, fail);
  if (readings !== written) for (const reading of readings) validate(reading, schema, fail);
  for (const { message, pointer } of faultsOf(resource)) fail('invalid-policy', message, pointer);
  if (issues.length > 0) return { policy: undefined, issues };

  const createdAt = creationTimeOf(resource);
  const warn = (code: string, message: string, pointer: string): void => {
    issues.push({ code, severity: 'warning', message, resource: locator, pointer });
  };
  if (createdAt === undefined) warn('missing-creation-timestamp', withoutAge, '/metadata/creationTimestamp');
  const apiVersion = `${group}/${version}`;
  if (resource.apiVersion !== apiVersion && other === undefined) {
    warn('other-version', `is read as ${apiVersion}, although it is ${resource.apiVersion}; convert it`, '/apiVersion');
  }
  const { namespace, name } = ref;
  const layers: Layer<Spec>[] = [];
  const policy: Policy<Spec> = {
    locator,
    name: namespace === undefined ? name : [namespace, name].join('/'), // A flat string, because it is compared often.
    resource,
    createdAt,
    layers,
  };
  for (const reading of readings) layers.push({ ...reading, spec: mergedSpec(reading, policy) as Spec, policy });
  return { policy, issues };
}

const withoutAge =
  'has no valid metadata.creationTimestamp, so it counts as the newest; set it, as the API server does';

/** Returns layers of another version with the specs that the kind's own version has. */
function converted(
  readings: readonly LayerReading[],
  other: OtherVersion,
  version: string,
  fail: Fail,
): readonly LayerReading[] {
  const refused = `cannot be converted from ${other.version} to ${version}`;
  return readings.map((reading) => {
    try {
      const spec: unknown = other.convert?.(reading.spec);
      if (isJsonObject(spec) && jsonFaults(spec, maxDepth).length === 0) return { ...reading, spec };
      fail('not-converted', `${refused}: the result is not a JSON object`, reading.pointer);
    } catch (error) {
      fail('not-converted', `${refused}: ${messageOf(error)}`, reading.pointer);
    }
    return reading;
  });
}

/** Returns the part of a layer that is merged with others. */
function mergedSpec({ spec, group, kept = [] }: LayerReading, { name }: Pick<Policy<unknown>, 'name'>): JsonObject {
  if (group !== undefined) return { [group]: { [name]: spec } };
  return kept.map(parsePointer).reduce((namedSpec, path) => byName(namedSpec, path, name), spec);
}

/** Returns a spec with the value of a field under a name. */
function byName(spec: JsonObject, [field = '', ...rest]: readonly string[], name: string): JsonObject {
  const value = Object.hasOwn(spec, field) ? spec[field] : undefined;
  if (value === undefined) return spec;
  if (rest.length === 0) return { ...spec, [field]: { [name]: value } };
  return isJsonObject(value) ? { ...spec, [field]: byName(value, rest, name) } : spec;
}

type Fail = (code: string, message: string, pointer: string) => void;

/** Reads the stanzas. Getters and proxies can throw anything, which must affect only their own policy. */
function layersSafely(resource: KubernetesObject, stanzas: StanzaReader, fail: Fail): readonly LayerReading[] {
  try {
    return blocksOf(resource, stanzas, fail);
  } catch (error) {
    fail('invalid-spec', `spec cannot be read: ${messageOf(error)}; correct it`, '/spec');
    return [];
  }
}

function blocksOf(resource: KubernetesObject, stanzas: StanzaReader, fail: Fail): readonly LayerReading[] {
  if (!isJsonObject(resource.spec)) {
    fail('invalid-spec', 'spec is missing or no object; set the fields of the policy', '/spec');
    return [];
  }
  const faults = jsonFaults(resource.spec, maxDepth);
  for (const { code, message, path } of faults) fail(code, message, formatPointer(['spec', ...path]));
  if (faults.length > 0) return [];
  if (holdsMoreThan(resource.spec, maxValues)) {
    fail('too-large', `spec has more than ${maxValues} values; split it into several policies`, '/spec');
    return [];
  }
  const reading = stanzas.read(resource.spec as JsonObject);
  for (const { message, pointer } of reading.faults) fail('invalid-spec', message, pointer);
  return reading.layers;
}

function validate({ spec, pointer }: LayerReading, schema: StandardSchemaV1, fail: Fail): void {
  const { faults, failure } = schemaFaults(schema, spec);
  if (failure !== undefined) fail('schema-failed', `the schema of its kind failed: ${failure}`, pointer);
  for (const fault of faults) fail('invalid-spec', fault.message, pointer + fault.pointer);
}
