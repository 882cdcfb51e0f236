import {
  ancestorKey,
  type ConditionUpdate,
  type PolicyOutcome,
  type SetOptions,
  setStatusConditions,
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
import type { AncestorFindings } from '../report/policy-report.ts';
import { withList } from '../status/set-conditions.ts';

/** The outcomes of targets without ancestors of their own, since they do not exist or may not be asked. */
const missing: ReadonlySet<PolicyOutcome> = new Set([
  'target-not-found',
  'section-not-found',
  'reference-not-permitted',
]);

/** The findings about one target of a policy. */
export interface TargetFindings {
  readonly target: ResourceRef;
  readonly findings: readonly Finding[];
}

/** Returns findings with those about missing targets under each ancestor that other targets have, if there is any (GEP-5058). */
export function underAncestors(findings: readonly Finding[]): readonly Finding[] {
  const ancestors = new Map<string, ResourceRef>();
  for (const { ancestor, outcome } of findings) {
    if (ancestor !== undefined && !missing.has(outcome)) ancestors.set(formatLocator(ancestor), ancestor);
  }
  if (ancestors.size === 0) return findings;
  return findings.flatMap((finding) =>
    missing.has(finding.outcome) ? [...ancestors.values()].map((ancestor) => ({ ...finding, ancestor })) : finding,
  );
}

/** Returns the findings about each target, by group, kind and name; none if there is one target only. */
export function targetFindings(findings: readonly Finding[]): readonly TargetFindings[] {
  const byTarget = new Map<string, { target: ResourceRef; findings: Finding[] }>();
  for (const finding of findings) {
    const { on } = finding;
    if (on === undefined) continue;
    const { group, kind, name, section = '', namespace = '' } = on;
    const key = JSON.stringify([group, kind, name, section, namespace]);
    const there = byTarget.get(key);
    if (there === undefined) byTarget.set(key, { target: on, findings: [finding] });
    else there.findings.push(finding);
  }
  if (byTarget.size < 2) return [];
  return [...byTarget].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ofIt]) => ofIt);
}

/** Returns the conditions of an entry as a summary: `PartiallyAccepted` if some targets are accepted and others are not. */
export function summarized(
  conditions: readonly ConditionUpdate[],
  ofTargets: readonly (readonly ConditionUpdate[])[],
): readonly ConditionUpdate[] {
  const accepted = ofTargets.map((it) => it.find(({ type }) => type === 'Accepted')?.status);
  if (!accepted.includes('True') || accepted.every((status) => status === 'True')) return conditions;
  const message = 'The policy is accepted for some of its targets, and not for others.';
  return conditions.map((it) =>
    it.type === 'Accepted' ? { ...it, status: 'False', reason: 'PartiallyAccepted', message } : it,
  );
}

/** The controller, and how the conditions of targets are set. */
export interface TargetOptions extends SetOptions {
  readonly controllerName: string;
  readonly namespace: string;
  readonly conditionsOn: (findings: readonly Finding[]) => readonly ConditionUpdate[];
}

/** The most targets of an entry. */
const maxTargets = 16;

/** Returns a status whose own entries have the conditions of each target; the identical status if nothing has changed. */
export function withTargets(
  status: JsonObject,
  byAncestor: readonly AncestorFindings[],
  { controllerName, namespace, conditionsOn, ...options }: TargetOptions,
): JsonObject {
  const byKey = new Map(byAncestor.map((it) => [ancestorKey(it.ancestorRef, namespace)?.text, it.findings]));
  const before: readonly JsonValue[] = Array.isArray(status.ancestors) ? status.ancestors : [];
  const ancestors = before.map((entry): JsonValue => {
    if (!isJsonObject(entry)) return entry;
    const findings = byKey.get(ancestorKey(entry.ancestorRef, namespace)?.text);
    if (entry.controllerName !== controllerName || findings === undefined) return entry;
    const stored = objectsIn(entry.targets);
    const targets = targetFindings(findings)
      .slice(0, maxTargets)
      .map(({ target, findings: ofIt }): JsonObject => {
        const targetRef = targetRefOf(target, namespace);
        const there = stored.find((it) => isEquivalent(it.targetRef, targetRef));
        const { conditions } = setStatusConditions(there?.conditions, conditionsOn(ofIt), options);
        return { targetRef, conditions: (conditions as unknown as JsonObject['conditions']) ?? [] };
      });
    const { targets: _, ...rest } = entry;
    const now = targets.length === 0 ? rest : { ...rest, targets };
    return isEquivalent(now, entry) ? entry : now;
  });
  return withList(status, 'ancestors', ancestors);
}

function targetRefOf({ group, kind, namespace: own, name, section }: ResourceRef, namespace: string): JsonObject {
  const inNamespace = own ?? namespace;
  return {
    group,
    kind,
    name,
    ...(inNamespace === '' ? {} : { namespace: inNamespace }),
    ...(section === undefined ? {} : { sectionName: section }),
  };
}
