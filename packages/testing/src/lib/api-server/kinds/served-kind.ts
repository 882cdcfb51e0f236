import { isJsonObject, type JsonObject, objectsIn, type ResourceScope, stringIn } from '@policy-machinery/resource';

export interface ServedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  /** The versions served, the preferred one first. */
  readonly versions: readonly string[];
  readonly scope: ResourceScope;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Whether the status is a subresource. */
  readonly hasStatus: boolean;
  /** Whether the server counts the changes of the spec. */
  readonly hasGeneration: boolean;
  /** Whether an update without a `resourceVersion` is accepted. */
  readonly isUpdatedBlindly: boolean;
  /** Whether an update of an object that does not exist creates it. */
  readonly isCreatedOnUpdate: boolean;
  /** Whether a CustomResourceDefinition defines it. */
  readonly isCustom: boolean;
  /** The schema of each version, if it is known. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

/** Returns the key of a kind, as in the name of its definition: `httproutes.gateway.networking.k8s.io`. */
export function resourceKey({ group, plural }: Pick<ServedKind, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

const builtIn = (kind: Pick<ServedKind, 'group' | 'kind' | 'plural'> & Partial<ServedKind>): ServedKind => ({
  singular: kind.kind.toLowerCase(),
  versions: ['v1'],
  scope: 'Namespaced',
  shortNames: [],
  categories: [],
  hasStatus: false,
  hasGeneration: false,
  isUpdatedBlindly: true,
  isCreatedOnUpdate: false,
  isCustom: false,
  schemas: {},
  ...kind,
});

/** The kind of the definitions of other kinds. */
export const definitions: ServedKind = builtIn({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  hasStatus: true,
  hasGeneration: true,
  isUpdatedBlindly: false,
});

/** The kind of namespaces. */
export const namespaces: ServedKind = builtIn({
  group: '',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
  shortNames: ['ns'],
  hasStatus: true,
});

/** The kinds that need no definition: those that controllers of policies meet. */
export const builtInKinds: readonly ServedKind[] = [
  builtIn({ group: '', kind: 'ConfigMap', plural: 'configmaps', shortNames: ['cm'] }),
  namespaces,
  builtIn({ group: '', kind: 'Secret', plural: 'secrets' }),
  builtIn({
    group: '',
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    hasStatus: true,
  }),
  definitions,
  builtIn({
    group: 'coordination.k8s.io',
    kind: 'Lease',
    plural: 'leases',
    isUpdatedBlindly: false,
    isCreatedOnUpdate: true,
  }),
  builtIn({
    group: 'events.k8s.io',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    isCreatedOnUpdate: true,
  }),
];

/** Reads a CustomResourceDefinition. Returns nothing for one without a group, a kind, a plural or a version that is served. */
export function kindOfDefinition(definition: JsonObject): ServedKind | undefined {
  const spec = isJsonObject(definition.spec) ? definition.spec : {};
  const names = isJsonObject(spec.names) ? spec.names : {};
  const [group, kind, plural] = [stringIn(spec.group), stringIn(names.kind), stringIn(names.plural)];
  const served = objectsIn(spec.versions).filter((version) => version.served === true);
  const versions = served.flatMap(({ name }) => stringIn(name) ?? []).sort(byPriority);
  if (group === undefined || kind === undefined || plural === undefined || versions.length === 0) return undefined;
  return {
    group,
    kind,
    plural,
    singular: stringIn(names.singular) ?? kind.toLowerCase(),
    versions,
    scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    shortNames: textsIn(names.shortNames),
    categories: textsIn(names.categories),
    hasStatus: served.some(({ subresources }) => isJsonObject(subresources) && isJsonObject(subresources.status)),
    hasGeneration: true,
    isUpdatedBlindly: false,
    isCreatedOnUpdate: false,
    isCustom: true,
    schemas: Object.fromEntries(
      served.map(({ name, schema }) => [
        String(name),
        isJsonObject(schema) && isJsonObject(schema.openAPIV3Schema) ? schema.openAPIV3Schema : {},
      ]),
    ),
  };
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.flatMap((each) => stringIn(each) ?? []) : [];

const stages = ['alpha', 'beta', undefined];

/** Returns the priority of a version: its stage, its number, the number of its stage. Names of any other form have the lowest. */
function priorityOf(version: string): readonly number[] {
  const [, major, stage, minor = '0'] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  return major === undefined ? [-1, 0, 0] : [stages.indexOf(stage), Number(major), Number(minor)];
}

/** Returns the order of versions in discovery: GA, beta, alpha; the newest of each first. */
export function byPriority(version: string, other: string): number {
  const priorities = priorityOf(other);
  for (const [index, value] of priorityOf(version).entries()) {
    const difference = (priorities[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return version < other ? -1 : Number(version > other);
}
