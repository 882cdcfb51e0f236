import { kindNameFault } from '@policy-machinery/policy-kind/inner';
import {
  type GroupKind,
  type JsonObject,
  type KubernetesObject,
  objectIn,
  objectsIn,
  type ResourceScope,
  stringIn,
} from '@policy-machinery/resource';
import { pluralOf } from '@policy-machinery/resource/inner';

/** The parts of a CustomResourceDefinition that define a kind. */
export interface Definition extends GroupKind {
  readonly plural: string;
  readonly scope: ResourceScope;
  /** The served versions, the stored one first. */
  readonly versions: readonly string[];
  /** The version that `spec` and `status` are the schemas of. */
  readonly version: string;
  /** The structural schema of `spec`; an empty one if the definition has none. */
  readonly spec: JsonObject;
  /** The structural schema of `status`; an empty one if the definition has none. */
  readonly status: JsonObject;
  /** Its short names: `btp`. */
  readonly shortNames: readonly string[];
  /** Whether objects are the same in all versions, but for the version itself: the API server does not convert them. */
  readonly isUnconverted: boolean;
  /** The written value of the label that marks policy kinds in Gateway API. */
  readonly label: string | undefined;
}

/** The label that marks policy kinds in Gateway API. */
const policyLabel = 'gateway.networking.k8s.io/policy';

/** Returns whether a resource is a CustomResourceDefinition of a served version of its API. */
export function isDefinition({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === 'CustomResourceDefinition' && apiVersion === 'apiextensions.k8s.io/v1';
}

/**
 * Reads a CustomResourceDefinition.
 *
 * @param inUse The version to read. Default, and if it is not served: the stored one.
 * @returns The parts of the definition; `undefined` if it lacks a group, a kind or a served version, or an API server would refuse their names.
 */
export function readDefinition(crd: KubernetesObject, inUse?: string): Definition | undefined {
  const { group, names, scope, versions, conversion } = objectIn(crd.spec);
  const { kind, plural, shortNames } = objectIn(names);
  const served = objectsIn(versions).filter((version) => version.served !== false && stringIn(version.name));
  const stored = served.filter(({ storage }) => storage === true);
  const [read] = [...served.filter(({ name }) => name === inUse), ...stored, ...served];
  if (typeof group !== 'string' || typeof kind !== 'string' || read === undefined) return undefined;
  const named = { group, kind, version: String(read.name), plural: stringIn(plural) ?? pluralOf(kind) };
  if (kindNameFault(named) !== undefined) return undefined;
  const { spec, status } = objectIn(at(read, ['schema', 'openAPIV3Schema', 'properties']));
  return {
    ...named,
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    versions: [...new Set([...stored, ...served].map(({ name }) => String(name)))],
    spec: objectIn(spec),
    status: objectIn(status),
    shortNames: Array.isArray(shortNames) ? shortNames.filter((it) => typeof it === 'string') : [],
    isUnconverted: (objectIn(conversion).strategy ?? 'None') === 'None',
    label: stringIn(crd.metadata.labels?.[policyLabel]),
  };
}

/** Returns the served versions beside the one that was read, if the API server does not convert objects between them. */
export function unconvertedVersions({ isUnconverted, versions, version }: Definition): readonly string[] {
  return isUnconverted ? versions.filter((it) => it !== version) : [];
}

/**
 * Returns the class that a label gives a kind, regardless of case.
 *
 * @param label `Direct`, `inherited`, or `true`, which older kinds have and which means `Direct`.
 * @returns The class; `undefined` without a label, and for other values.
 */
export function classOf(label: string | undefined): 'Direct' | 'Inherited' | undefined {
  const value = label?.toLowerCase();
  if (value === 'inherited') return 'Inherited';
  return value === 'direct' || value === 'true' ? 'Direct' : undefined;
}

export function propertiesOf(schema: unknown): JsonObject {
  return objectIn(objectIn(schema).properties);
}

function at(value: unknown, [key, ...rest]: readonly string[]): unknown {
  return key === undefined ? value : at(objectIn(value)[key], rest);
}
