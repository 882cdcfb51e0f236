import { gep713Vocabulary } from '@policy-machinery/conditions';
import { definePolicyKind } from '@policy-machinery/policy-kind';
import { kindNameFault } from '@policy-machinery/policy-kind/inner';
import {
  type GroupKind,
  groupKindKey,
  groupOf,
  isJsonObject,
  type KubernetesObject,
  objectsIn,
  specOf,
  withoutNulls,
} from '@policy-machinery/resource';
import { pluralOf } from '@policy-machinery/resource/inner';
import type { Targetable, TargetKind } from '@policy-machinery/topology';
import { unmergedNote } from '../crd/policy-kind-from-crd.ts';
import { clusterReachOf } from '../model/cluster-reach.ts';
import type { Dialect } from '../model/dialects.ts';
import { finest } from '../model/finest.ts';
import { anyObject } from '../model/spec-checks.ts';
import { unmergedKind } from '../model/unmerged.ts';
import type { ForeignKind } from './foreign-kind.ts';
import type { FoundKind } from './found-kind.ts';
import { unreadNote, unreadReferenceFields } from './unread-references.ts';

/**
 * Declares the kind of some objects that look like policies: one of them names its targets by group, kind and name. Their definition
 * is not at hand, so specs are not checked.
 *
 * @param objects All objects of one kind.
 * @param dialect How they are merged; `undefined` if that is not known.
 * @param known The kinds of targets with known sections.
 * @param foreignKind Declares other kinds.
 * @returns The kind; `undefined` if none of the objects is a policy.
 */
export function objectsKind(
  objects: readonly KubernetesObject[],
  dialect: Dialect | undefined,
  known: readonly TargetKind[],
  foreignKind: ForeignKind,
): FoundKind | undefined {
  const names = namesOf(objects);
  if (names === undefined) return undefined;
  const named = objects.map(kindsNamedBy);
  if (named.every(({ length }) => length === 0)) return undefined;
  const targets = targetsOf(named.flat(), [...known, ...otherTargetsOf(objects, known, foreignKind)]);
  const { clusterScopedTargets, reachesNamespaces } = clusterReachOf(targets);
  const definition = {
    ...names,
    clusterScopedTargets,
    crossNamespace: reachesNamespaces && !objects.some(namesNamespace) ? 'allow' : 'granted',
    targets,
    effectiveTargets: finest(targets),
    targetSelectors: objects.some((object) => Array.isArray(specOf(object).targetSelectors)),
    maxTargets: 1000,
    spec: anyObject,
    stored: withoutNulls,
  } as const;
  const kind =
    dialect === undefined ? unmergedKind(definition) : definePolicyKind({ ...dialect.profile, ...definition });
  const unread = unreadReferenceFields(kind, objects, undefined);
  return {
    kind,
    foundBy: 'objects',
    merging: dialect === undefined ? 'unknown' : 'known',
    policyClass: kind.policyClass,
    classFrom: 'schema',
    ...(dialect === undefined ? {} : { dialect: dialect.name }),
    status: 'ancestors',
    vocabulary: gep713Vocabulary,
    viewOptions: {},
    notes: [
      ...(unread.length > 0 ? [unreadNote(unread)] : []),
      'The CustomResourceDefinition is not among the resources, so specs are not checked.',
      ...(dialect === undefined ? [unmergedNote(kind)] : []),
    ],
  };
}

/** Returns the names of the kind of objects; `undefined` for objects that cannot be of a CustomResourceDefinition. */
function namesOf([first]: readonly KubernetesObject[]) {
  const group = first === undefined ? '' : groupOf(first.apiVersion);
  if (first === undefined || group === '') return undefined;
  const names = { group, kind: first.kind, version: first.apiVersion.slice(group.length + 1) };
  return kindNameFault({ ...names, plural: pluralOf(first.kind) }) === undefined ? names : undefined;
}

/** Returns whether a policy names a namespace beside a target. */
function namesNamespace(policy: KubernetesObject): boolean {
  const { targetRef, targetRefs } = specOf(policy);
  return [...objectsIn(targetRefs), ...(isJsonObject(targetRef) ? [targetRef] : [])].some(
    ({ namespace }) => namespace !== undefined,
  );
}

/** A kind that a policy names as a target, as a whole or by section. */
interface NamedTarget extends GroupKind {
  readonly isSection: boolean;
}

/** Returns the kinds that a policy names as targets; none, if a reference lacks its group, kind or name. */
function kindsNamedBy(policy: KubernetesObject): readonly NamedTarget[] {
  const { targetRef, targetRefs } = specOf(policy);
  const entries = isJsonObject(targetRef) ? [targetRef] : objectsIn(targetRefs);
  const kinds = entries.flatMap(({ group, kind, name, sectionName }) =>
    typeof group === 'string' && typeof kind === 'string' && kind !== '' && typeof name === 'string'
      ? [{ group, kind, isSection: sectionName !== undefined }]
      : [],
  );
  return kinds.length === entries.length ? kinds : [];
}

/**
 * Returns the kinds that policies target and that are not known.
 *
 * @param policies The policies. Malformed ones are left out.
 * @param known The known kinds.
 * @param foreignKind Declares the others.
 * @returns The other kinds, without sections and links.
 */
export function otherTargetsOf(
  policies: readonly KubernetesObject[],
  known: readonly TargetKind[],
  foreignKind: ForeignKind,
): readonly TargetKind[] {
  const keys = new Set(known.map(groupKindKey));
  const others = new Map<string, TargetKind>();
  for (const { group, kind } of policies.flatMap(kindsNamedBy)) {
    const key = groupKindKey({ group, kind });
    if (!keys.has(key) && !others.has(key)) others.set(key, foreignKind({ group, kind }));
  }
  return [...others.values()];
}

/** Returns the named kinds as wholes, with sections if any policy names a section of theirs. */
function targetsOf(named: readonly NamedTarget[], known: readonly TargetKind[]): readonly Targetable[] {
  const [keys, divided] = [named, named.filter(({ isSection }) => isSection)].map(
    (all) => new Set(all.map(groupKindKey)),
  );
  const kinds = known.filter((kind) => keys?.has(groupKindKey(kind)));
  return kinds.flatMap((kind) => [
    kind,
    ...(divided?.has(groupKindKey(kind)) ? Object.values<Targetable>(kind.sections) : []),
  ]);
}
