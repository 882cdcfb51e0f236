import {
  type AncestorOptions,
  type AncestorUpdate,
  ancestorKey,
  type ConditionUpdate,
  type PolicyOutcome,
  type SetOptions,
  setConditionsInStatus,
} from '@policy-machinery/conditions';
import {
  formatLocator,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
  type ResourceRef,
} from '@policy-machinery/resource';
import { isEquivalent } from '../equivalent.ts';
import type { Finding } from '../report/finding.ts';
import { withList } from '../status/set-conditions.ts';

/** The outcomes of targets without their own ancestors, because they do not exist or may not be asked. */
const missing: ReadonlySet<PolicyOutcome> = new Set([
  'target-not-found',
  'section-not-found',
  'reference-not-permitted',
]);

/** The conditions of a policy on one of its targets, under one ancestor. */
export interface TargetConditions {
  readonly target: ResourceRef;
  readonly conditions: readonly ConditionUpdate[];
}

/** Returns findings with those about missing targets under each ancestor that other targets have, if there is any (GEP-5058). */
export function underAncestors(findings: readonly Finding[]): readonly Finding[] {
  const otherAncestors = findings.flatMap(({ ancestors, outcome }) => (missing.has(outcome) ? [] : ancestors));
  if (otherAncestors.length === 0) return findings;
  const ancestors = [...new Map(otherAncestors.map((ancestor) => [formatLocator(ancestor), ancestor])).values()];
  return findings.map((finding) => (missing.has(finding.outcome) ? { ...finding, ancestors } : finding));
}

/** Returns the conditions on each target, by group, kind and name; none if there is one target only. */
export function targetConditions(
  findings: readonly Finding[],
  conditionsOn: (findings: readonly Finding[]) => readonly ConditionUpdate[],
): readonly TargetConditions[] {
  const byTarget = new Map<string, { target: ResourceRef; findings: Finding[] }>();
  for (const finding of findings) {
    const { on } = finding;
    if (on === undefined) continue;
    const { group, kind, name, section = '', namespace = '' } = on;
    const key = JSON.stringify([group, kind, name, section, namespace]);
    const targetEntry = byTarget.get(key);
    if (targetEntry === undefined) byTarget.set(key, { target: on, findings: [finding] });
    else targetEntry.findings.push(finding);
  }
  if (byTarget.size < 2) return [];
  return [...byTarget]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { target, findings: ofIt }]) => ({ target, conditions: conditionsOn(ofIt) }));
}

/** Returns the conditions of an entry as a summary: `PartiallyAccepted` if some targets are accepted and others are not. */
export function summarized(
  conditions: readonly ConditionUpdate[],
  targets: readonly TargetConditions[],
): readonly ConditionUpdate[] {
  if (targets.length === 0) return conditions;
  const accepted = targets.map((it) => it.conditions.find(({ type }) => type === 'Accepted')?.status);
  if (!accepted.includes('True') || accepted.every((status) => status === 'True')) return conditions;
  const message = 'The policy is accepted for some of its targets, and not for others.';
  return conditions.map((condition) =>
    condition.type === 'Accepted' ? { ...condition, status: 'False', reason: 'PartiallyAccepted', message } : condition,
  );
}

/** The most targets of an entry. */
const maxTargets = 16;

/**
 * Returns a status with own entries that have the conditions of each target, and no other fields than this version of the controller writes; the
 * identical status if nothing has changed, or if an own entry has observed a newer generation of the policy.
 */
export function wholeEntries(
  status: JsonObject,
  entries: readonly (Pick<AncestorUpdate, 'ancestorRef'> & { readonly targets: readonly TargetConditions[] })[],
  { controllerName, namespace = '', ...options }: Omit<AncestorOptions, 'limit'>,
): JsonObject {
  const byKey = new Map(entries.map((it) => [ancestorKey(it.ancestorRef, namespace)?.text, it.targets]));
  const entriesBefore: readonly JsonValue[] = Array.isArray(status.ancestors) ? status.ancestors : [];
  const isOwn = (entry: JsonValue): entry is JsonObject =>
    isJsonObject(entry) && entry.controllerName === controllerName;
  const generations = entriesBefore.filter(isOwn).flatMap(({ conditions }) => objectsIn(conditions).map(generationIn));
  if (generations.some((it) => it > options.observedGeneration)) return status;
  const ancestors = entriesBefore.map((entry): JsonValue => {
    if (!isOwn(entry)) return entry;
    const { ancestorRef, conditions = [], targets: stored, ...others } = entry;
    const targets = byKey.get(ancestorKey(ancestorRef, namespace)?.text);
    if (targets === undefined || (targets.length === 0 && stored === undefined && Object.keys(others).length === 1)) {
      return entry;
    }
    const entries = targets.slice(0, maxTargets).map((it) => targetStatus(it, objectsIn(stored), namespace, options));
    const whole = { ancestorRef: ancestorRef ?? null, controllerName, conditions };
    const renewedEntry = entries.length === 0 ? whole : { ...whole, targets: entries };
    return isEquivalent(renewedEntry, entry) ? entry : renewedEntry;
  });
  return withList(status, 'ancestors', ancestors);
}

function generationIn({ observedGeneration }: JsonObject): number {
  return typeof observedGeneration === 'number' ? observedGeneration : 0;
}

/** Returns the conditions of a target as an entry, with the times of the stored ones. */
function targetStatus(
  { target, conditions: updates }: TargetConditions,
  stored: readonly JsonObject[],
  namespace: string,
  options: SetOptions,
): JsonObject {
  const targetRef = targetRefOf(target, namespace);
  const entryBefore = stored.find((it) => isEquivalent(it.targetRef, targetRef));
  const { conditions } = setConditionsInStatus(entryBefore, updates, options).status;
  return { targetRef, conditions: conditions ?? [] };
}

function targetRefOf(
  { group, kind, namespace: ownNamespace, name, section }: ResourceRef,
  namespace: string,
): JsonObject {
  const inNamespace = ownNamespace ?? namespace;
  return {
    group,
    kind,
    name,
    ...(inNamespace === '' ? {} : { namespace: inNamespace }),
    ...(section === undefined ? {} : { sectionName: section }),
  };
}
