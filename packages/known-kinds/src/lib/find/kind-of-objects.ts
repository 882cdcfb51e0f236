import { definePolicyKind } from '@policy-machinery/policy-kind';
import {
  type GroupKind,
  groupKindKey,
  groupOf,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  objectsIn,
  specOf,
} from '@policy-machinery/resource';
import { defineTargetKind, type Targetable, type TargetKind } from '@policy-machinery/topology';
import { unmergedNote } from '../crd/policy-kind-from-crd.ts';
import type { Dialect } from '../model/dialects.ts';
import { anyObject } from '../model/spec-checks.ts';
import { unmergedKind } from '../model/unmerged.ts';
import type { FoundKind } from './find-policy-kinds.ts';

/**
 * Declares the kind of some objects that look like policies: each of them names its targets by group, kind and name. Their definition
 * is not at hand, so specs are not checked.
 *
 * @param objects All objects of one kind.
 * @param dialect How they are merged; `undefined` if that is not known.
 * @param known The kinds of targets whose sections are known.
 * @returns The kind; `undefined` if one of the objects is no policy.
 */
export function objectsKind(
  objects: readonly KubernetesObject[],
  dialect: Dialect | undefined,
  known: readonly TargetKind[],
): FoundKind | undefined {
  const [first] = objects;
  const group = first === undefined ? '' : groupOf(first.apiVersion);
  if (first === undefined || group === '') return undefined;
  const references = objects.map(referencesOf);
  if (references.some(({ length }) => length === 0)) return undefined;
  const targets = targetsOf(references.flat(), known);
  const definition = {
    group,
    version: first.apiVersion.slice(group.length + 1),
    kind: first.kind,
    crossNamespace: 'granted',
    targets,
    targetSelectors: objects.some((object) => Array.isArray(specOf(object).targetSelectors)),
    maxTargets: 1000,
    spec: anyObject,
  } as const;
  const kind =
    dialect === undefined ? unmergedKind(definition) : definePolicyKind({ ...definition, ...dialect.profile });
  return {
    kind,
    foundBy: 'objects',
    merging: dialect === undefined ? 'unknown' : 'known',
    policyClass: kind.policyClass,
    classFrom: 'schema',
    ...(dialect === undefined ? {} : { dialect: dialect.name }),
    status: 'ancestors',
    notes: [
      'The CustomResourceDefinition is not among the resources, so specs are not checked.',
      ...(dialect === undefined ? [unmergedNote(kind)] : []),
    ],
  };
}

/** The references of a policy, all of which name a group, a kind and a name; none, if one of them does not. */
function referencesOf(object: KubernetesObject): readonly JsonObject[] {
  const { targetRef, targetRefs } = specOf(object);
  const entries = isJsonObject(targetRef) ? [targetRef] : objectsIn(targetRefs);
  const isReference = (it: JsonObject): boolean =>
    [it.group, it.kind, it.name].every((field) => typeof field === 'string') && it.kind !== '';
  return entries.every(isReference) ? entries : [];
}

function targetsOf(references: readonly JsonObject[], known: readonly TargetKind[]): readonly Targetable[] {
  const kinds = new Map<string, TargetKind>();
  for (const { group, kind } of references as readonly (JsonObject & GroupKind)[]) {
    const key = groupKindKey({ group, kind });
    kinds.set(key, known.find((it) => groupKindKey(it) === key) ?? defineTargetKind({ group, kind }));
  }
  return [...kinds.values()].flatMap((kind) => [kind, ...Object.values<Targetable>(kind.sections)]);
}
