import { gep713Vocabulary } from '@policy-machinery/conditions';
import { type GatewayApiOptions, gatewayApi, istioMesh, Pod } from '@policy-machinery/gateway-api';
import { podTemplates } from '@policy-machinery/gateway-api/inner';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import {
  groupKindKey,
  groupKindOf,
  groupOf,
  type Issue,
  type KubernetesObject,
  type ReleasedDefinition,
} from '@policy-machinery/resource';
import { isSectionKind, type Targetable, type TargetKind } from '@policy-machinery/topology';
import { type Definition, isDefinition, readDefinition, unconvertedVersions } from '../crd/definition.ts';
import { effectiveSchemaOf } from '../crd/effective-schema.ts';
import { policyKindFromCrd, readRelease, unmergedNote } from '../crd/policy-kind-from-crd.ts';
import { knownKinds } from '../known-kinds.ts';
import type { Dialect } from '../model/dialects.ts';
import type { KindOptions, KnownKind } from '../model/known-kind.ts';
import { dataPlaneOf } from '../tables/data-planes.ts';
import { isOtherKind } from '../tables/outside.ts';
import { dialectsFor } from './dialect-choice.ts';
import { type ForeignKind, foreignKinds } from './foreign-kind.ts';
import type { FoundKind } from './found-kind.ts';
import { objectsKind, otherTargetsOf } from './kind-of-objects.ts';
import { kindsInUse } from './kinds-in-use.ts';
import { viewOptionsOf } from './other-controllers.ts';
import { withRoutesInUse } from './routes-in-use.ts';
import { type UnreadKind, unreadKind, unreadPolicies } from './unread-kind.ts';
import { unreadNote, unreadReferenceFields } from './unread-references.ts';

/** Where policy kinds are searched. */
export interface FindInput {
  /** All resources: CustomResourceDefinitions, policies, and others, which are ignored. */
  readonly resources: Iterable<KubernetesObject>;
  /** Your own declarations, which prevail over everything else. Default: none. */
  readonly yours?: Iterable<PolicyKind<unknown>>;
  /**
   * The CustomResourceDefinitions of releases, for kinds of the table that none of the resources defines. They check specs and fill in defaults; a
   * field that they do not have is kept, because the release in use may have it. Default: none.
   */
  readonly released?: Iterable<ReleasedDefinition>;
  /** Dialects by kind: `{ 'policies.example.com/RetryPolicy': 'gep713' }`. Default none. */
  readonly dialects?: Readonly<Record<string, string>>;
  /** How routes are linked. Default: as the found kinds need it, with facts about the data planes of existing systems. */
  readonly linking?: GatewayApiOptions;
}

/** The kinds of one topology. */
export interface TopologyKinds {
  /** The policy kinds, in the order of their groups and names. */
  readonly kinds: readonly FoundKind[];
  /** The target kinds for `createTopology`, with all that the policy kinds may target. */
  readonly targetKinds: readonly TargetKind[];
}

/** The policy kinds of some resources, and the topologies for them. */
export interface FoundKinds extends TopologyKinds {
  /**
   * The kinds of Istio, which need their own topology: in a mesh, Gateways are below Namespaces, and not below their classes.
   * `undefined` if there are none.
   */
  readonly mesh: TopologyKinds | undefined;
  /** Kinds that look like policy kinds, but have policies that are not attached, with the reason. In the order of their groups and names. */
  readonly unread: readonly UnreadKind[];
  /** Dialects that do not exist, or are for kinds that were not found; and policies of kinds that are not read. */
  readonly issues: readonly Issue[];
}

/**
 * Finds the policy kinds of some resources. Your own declaration prevails over the table of known kinds, and the table over the
 * CustomResourceDefinition and the policies themselves. The policy label decides nothing but the class.
 *
 * @param input The resources, your own declarations, and dialects.
 * @returns The kinds, and the target kinds for a topology with them.
 * @example
 * ```ts
 * const { kinds, targetKinds } = findPolicyKinds({ resources });
 * const topology = createTopology({ targetKinds, policyKinds: kinds.map(({ kind }) => kind) });
 * ```
 */
export function findPolicyKinds({
  resources,
  yours = [],
  released = [],
  dialects = {},
  linking = {},
}: FindInput): FoundKinds {
  const input = byKind(resources);
  const { definitions, objects } = input;
  const choice = dialectsFor(dialects);
  const releases = new Map(Array.from(released, (each) => [keyOfDefinition(each.definition), each] as const));
  const around: Surroundings = { targetKinds: gatewayApi(linking), foreignKind: foreignKinds(definitions) };
  const found = new Map<string, FoundKind>();
  const unread = new Map<string, UnreadKind>();
  for (const kind of yours) found.set(groupKindKey(kind), yourKind(kind));
  for (const key of new Set([...definitions.keys(), ...objects.keys()])) {
    const crd = input.crds.get(key);
    const used = objects.get(key) ?? [];
    const named = definitions.get(key) ?? used.map(groupKindOf)[0];
    if (found.has(key) || named === undefined || isOtherKind(named)) continue;
    const kind = findKind(key, { crd, released: releases.get(key), used, dialect: choice.of(key) }, around);
    const unreadHere = kind === undefined ? unreadKind(named, definitions.get(key), used) : undefined;
    if (kind !== undefined) found.set(key, kind);
    if (unreadHere !== undefined) unread.set(key, unreadHere);
  }
  const sorted = sortedByKey(found);
  const isOfMesh = (key: string) => found.get(key)?.foundBy === 'table' && table.get(key)?.hierarchy === 'istio';
  const kinds = sorted.filter(([key]) => !isOfMesh(key)).map(([, kind]) => kind);
  const meshKinds = sorted.filter(([key]) => isOfMesh(key)).map(([, kind]) => kind);
  const linked = targetKindsFor(kinds, linking, (known) =>
    kindsInUse(known, objects, definitions).map(around.foreignKind),
  );
  return {
    kinds,
    targetKinds: withRoutesInUse(linked, (key) => found.has(key), objects, definitions),
    mesh: meshKinds.length === 0 ? undefined : { kinds: meshKinds, targetKinds: meshTargets(objects) },
    unread: sortedByKey(unread).map(([, kind]) => kind),
    issues: [
      ...choice.issues(new Set(found.keys())),
      ...[...unread].flatMap(([key, kind]) => unreadPolicies(kind, objects.get(key) ?? [])),
    ],
  };
}

const table: ReadonlyMap<string, KnownKind> = new Map(knownKinds.map((kind) => [groupKindKey(kind), kind]));

/** The resources of each kind, and the CustomResourceDefinitions by the kind that they define. */
interface ByKind {
  readonly crds: ReadonlyMap<string, KubernetesObject>;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly objects: ReadonlyMap<string, readonly KubernetesObject[]>;
}

function byKind(resources: Iterable<KubernetesObject>): ByKind {
  const crds = new Map<string, KubernetesObject>();
  const definitions = new Map<string, Definition>();
  const objects = new Map<string, KubernetesObject[]>();
  for (const resource of resources) {
    const defined = isDefinition(resource) ? readDefinition(resource) : undefined;
    if (defined !== undefined) {
      crds.set(groupKindKey(defined), resource);
      definitions.set(groupKindKey(defined), defined);
    }
    const key = groupKindKey(groupKindOf(resource));
    const sameKind = objects.get(key);
    if (sameKind === undefined) objects.set(key, [resource]);
    else sameKind.push(resource);
  }
  return { crds, definitions, objects };
}

function sortedByKey<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Everything that may declare a kind. */
interface Candidate {
  /** The CustomResourceDefinition among the resources, which prevails over the released one. */
  readonly crd: KubernetesObject | undefined;
  readonly released: ReleasedDefinition | undefined;
  readonly used: readonly KubernetesObject[];
  readonly dialect: Dialect | undefined;
}

/** The kinds of targets that are known, and the declaration of others. */
interface Surroundings {
  readonly targetKinds: readonly TargetKind[];
  readonly foreignKind: ForeignKind;
}

function findKind(key: string, candidate: Candidate, around: Surroundings): FoundKind | undefined {
  const known = table.get(key);
  if (known !== undefined) return fromTable(known, candidate, around);
  const { crd, used, dialect } = candidate;
  if (crd !== undefined) return fromSchema(crd, candidate, around);
  return objectsKind(used, dialect, around.targetKinds, around.foreignKind);
}

function keyOfDefinition(crd: KubernetesObject): string {
  const definition = readDefinition(crd);
  return definition === undefined ? '' : groupKindKey(definition);
}

/** Returns the target kinds of a mesh. Manifests have templates of Pods, and clusters have Pods beside the workloads that make these. */
function meshTargets(objects: ReadonlyMap<string, unknown>): readonly TargetKind[] {
  const [, ...makers] = podTemplates;
  const workloads = makers.filter((kind) => objects.has(groupKindKey(kind)));
  const hasTemplates = workloads.length > 0 && !objects.has(groupKindKey(Pod));
  return hasTemplates ? istioMesh({ workloads: 'templates' }) : [...istioMesh(), ...workloads];
}

function yourKind(kind: PolicyKind<unknown>): FoundKind {
  const { policyClass } = kind;
  return {
    kind,
    foundBy: 'yours',
    merging: 'known',
    policyClass,
    classFrom: 'yours',
    status: 'ancestors',
    vocabulary: gep713Vocabulary,
    viewOptions: {},
    notes: [],
  };
}

function fromTable(known: KnownKind, candidate: Candidate, { targetKinds, foreignKind }: Surroundings): FoundKind {
  const { crd, released, used, dialect } = candidate;
  const version = versionOf(used);
  const reading = crd === undefined ? undefined : policyKindFromCrd(crd, version === undefined ? {} : { version });
  const ofRelease = crd === undefined && released !== undefined ? readRelease(released, version) : undefined;
  const { definition, checks } = ofRelease ?? reading ?? {};
  const inUse = definition?.version ?? version;
  const declared: KindOptions = {
    otherTargets: otherTargetsOf(used, [...targetKinds, ...wholesOf(known.targets)], foreignKind),
    ...(inUse === undefined ? {} : { version: inUse }),
    otherVersions: definition === undefined ? [] : unconvertedVersions(definition),
    ...(checks === undefined ? {} : { checks }),
    ...(dialect === undefined ? {} : { dialect }),
  };
  const asInTable = known.define(declared);
  const unread = unreadReferenceFields(asInTable, used, reading?.definition);
  const unreadNotes = unread.length > 0 ? [unreadNote(unread)] : [];
  const merging = dialect !== undefined ? 'known' : unread.length > 0 ? 'unknown' : known.merging;
  const isUnmergedHere = merging === 'unknown' && known.merging === 'known';
  const kind = isUnmergedHere ? known.define({ ...declared, merging }) : asInTable;
  return {
    kind,
    foundBy: 'table',
    merging,
    policyClass: kind.policyClass,
    classFrom: 'table',
    ...(dialect === undefined ? {} : { dialect: dialect.name }),
    ...effectiveSchemaIn(definition, kind, merging),
    ...(isUnmergedHere
      ? { unmergedBecause: `${unreadNote(unread)} All policies of the kind are shown side by side.` }
      : {}),
    system: known.system,
    ...definedBy(definition, checks?.release),
    viewOptions: viewOptionsOf(known),
    status: known.status,
    ...(known.referrers === undefined ? {} : { referrers: known.referrers }),
    vocabulary: known.vocabulary,
    notes: [
      ...known.notes,
      ...unreadNotes,
      ...(merging === 'unknown' && !isUnmergedHere ? [unmergedNote(known)] : []),
      ...(reading?.unchecked ?? []),
    ],
  };
}

function fromSchema(
  crd: KubernetesObject,
  { used, dialect }: Candidate,
  { targetKinds, foreignKind }: Surroundings,
): FoundKind | undefined {
  const version = versionOf(used);
  const reading = policyKindFromCrd(crd, {
    targetKinds: [...targetKinds, ...otherTargetsOf(used, targetKinds, foreignKind)],
    foreignKind,
    ...(version === undefined ? {} : { version }),
    ...(dialect === undefined ? {} : { dialect }),
  });
  const { kind, notes, merging, status } = reading;
  if (kind === undefined) return undefined;
  return {
    kind,
    foundBy: 'schema',
    merging,
    policyClass: kind.policyClass,
    classFrom: reading.labelled === kind.policyClass ? 'label' : 'schema',
    ...(dialect === undefined ? {} : { dialect: dialect.name }),
    ...effectiveSchemaIn(reading.definition, kind, merging),
    ...definedBy(reading.definition),
    status,
    vocabulary: gep713Vocabulary,
    viewOptions: {},
    notes,
  };
}

function definedBy(definition: Definition | undefined, release?: string): Pick<FoundKind, 'definedBy'> {
  if (definition === undefined) return {};
  return { definedBy: { shortNames: definition.shortNames, ...(release === undefined ? {} : { release }) } };
}

function effectiveSchemaIn(
  definition: Definition | undefined,
  kind: PolicyKind<unknown>,
  merging: FoundKind['merging'],
): Pick<FoundKind, 'effectiveSchema'> {
  const schema = definition && effectiveSchemaOf(definition, kind, merging);
  return schema === undefined ? {} : { effectiveSchema: schema };
}

/** Returns the version of the objects of a kind, if all of them have the same. */
function versionOf(objects: readonly KubernetesObject[]): string | undefined {
  const versions = new Set(objects.map(({ apiVersion }) => apiVersion.slice(groupOf(apiVersion).length + 1)));
  const [version] = versions;
  return versions.size === 1 ? version : undefined;
}

/**
 * Returns the target kinds that policies may target, and the kinds of Gateway API, linked as the kinds need it.
 *
 * @param othersFor Returns the kinds of backends that objects of kinds have.
 */
function targetKindsFor(
  kinds: readonly FoundKind[],
  linking: GatewayApiOptions,
  othersFor: (kinds: readonly TargetKind[]) => readonly TargetKind[],
): readonly TargetKind[] {
  const needed = kinds
    .filter(({ foundBy }) => foundBy === 'table')
    .map(({ kind }) => table.get(groupKindKey(kind))?.linking ?? {});
  const base = gatewayApi(Object.assign({ dataPlane: dataPlaneOf }, ...needed, linking));
  const all = new Map(base.map((kind) => [groupKindKey(kind), kind]));
  for (const { kind } of kinds) {
    const { sources = [] } = table.get(groupKindKey(kind)) ?? {};
    for (const whole of [...wholesOf([...kind.targets, ...kind.effectiveTargets]), ...sources]) {
      if (!all.has(groupKindKey(whole))) all.set(groupKindKey(whole), whole);
    }
  }
  const others = othersFor(base).filter((kind) => !all.has(groupKindKey(kind)));
  return [...all.values(), ...others];
}

function wholesOf(targets: readonly Targetable[]): readonly TargetKind[] {
  return targets.map((target) => (isSectionKind(target) ? target.of : target));
}
