import {
  type AncestorOptions,
  type ConditionUpdate,
  type ParentReference,
  type PolicyOutcome,
  type RefusedAncestor,
  type ReportedOutcome,
  type SetOptions,
  setAncestorsInStatus,
  setConditionsInStatus,
} from '@policy-machinery/conditions';
import type { DeclaredPolicy, EffectivePolicies } from '@policy-machinery/effective-policy';
import { formatLocator, type JsonObject, printable, refOf } from '@policy-machinery/resource';
import { formatRef, type PolicyNode } from '@policy-machinery/topology';
import { once } from '../once.ts';
import type { Finding } from '../report/finding.ts';
import { policyNamespace } from '../report/policy-name.ts';
import {
  type AncestorFindings,
  type AncestorReport,
  findingsByAncestor,
  findingsIn,
  isReachedBy,
  policiesIn,
  reportOn,
} from '../report/policy-report.ts';
import { conditionsIn } from '../status/owned-fields.ts';
import { saysTheSame } from '../status/says-the-same.ts';
import { generationOf, statusOf } from '../status/status-of.ts';
import { type StatusWrite, writeOf } from '../status/status-write.ts';
import type { OmittedAncestor } from './omitted-ancestors.ts';
import type { PlanSettings } from './plan-options.ts';
import { ownedTypes, policyConditions, type ToldOutcome, toldIn } from './policy-conditions.ts';
import { refusing } from './refusing.ts';
import type { PlannedWrites, RefusedStatus } from './status-plan.ts';
import { summarized, targetConditions, underAncestors, wholeEntries } from './target-statuses.ts';

/** The writes to policies, and the ancestors that do not fit. */
export interface PolicyPlan extends PlannedWrites {
  readonly omitted: readonly OmittedAncestor[];
}

/**
 * Plans the statuses of the policies of one kind.
 *
 * @param only Locators of the policies to plan.
 */
export function planPolicies(
  effective: EffectivePolicies<unknown>,
  settings: PlanSettings,
  only: ReadonlySet<string>,
): PolicyPlan {
  const refused: RefusedStatus[] = [];
  const omitted: OmittedAncestor[] = [];
  const findingsOn = findingsIn(effective, ignoredBy(settings));
  const planOf = (declared: DeclaredPolicy<unknown>): readonly StatusWrite[] => {
    const { node } = declared;
    const { locator, resource, kind } = node;
    const findings = findingsOn(declared);
    if (findings.some(({ outcome }) => outcome === 'undecided')) return []; // Unknown findings do not change statuses.
    const rendered = renderings[settings.rendering](node, findings, settings);
    refused.push(...rendered.refused.map((message) => ({ resource: locator, message: printable(message) })));
    omitted.push(...rendered.omitted.map((ancestorRef) => ({ policy: node, ancestorRef })));
    const { status, owns, isWhole } = rendered;
    if (status === statusOf(resource)) return [];
    const urgency = saysTheSame(statusOf(resource), status) ? 'policy' : 'outcome';
    const change = { changed: { status }, owns: { status: owns }, isWhole, urgency } as const;
    return [writeOf({ ref: refOf(resource, kind.scope), locator, resource }, change, settings)];
  };
  const writes = policiesIn(effective, only).flatMap((it) => refusing(it.node, refused, () => planOf(it)) ?? []);
  return { writes, refused, omitted };
}

/** Returns the outcomes that are left to other controllers: those without conditions in the vocabulary, and missing targets that they may know. */
function ignoredBy({ vocabulary: { outcomes }, unknownTarget }: PlanSettings): ReadonlySet<PolicyOutcome> {
  const wordless = (Object.keys(outcomes) as ReportedOutcome[]).filter((outcome) => outcomes[outcome].length === 0);
  return new Set([...wordless, ...(unknownTarget === 'ignore' ? (['target-not-found'] as const) : [])]);
}

interface Rendered {
  readonly status: JsonObject;
  /** The part of the status that the controller owns. */
  readonly owns: JsonObject;
  readonly isWhole: boolean;
  readonly refused: readonly string[];
  readonly omitted: readonly AncestorReport['ancestorRef'][];
}

/** The forms of a policy's status. */
const renderings: Readonly<
  Record<
    PlanSettings['rendering'],
    (policy: PolicyNode, findings: readonly Finding[], settings: PlanSettings) => Rendered
  >
> = {
  ancestors: renderedByAncestor,
  targets: (policy, findings, settings) => renderedByAncestor(policy, underAncestors(findings), settings),
  conditions: renderedAsWhole,
};

/** Returns a status with the conditions of a policy as a whole; the stored one if another replica answers for the policy. */
function renderedAsWhole(policy: PolicyNode, findings: readonly Finding[], settings: PlanSettings): Rendered {
  const stored = statusOf(policy.resource);
  if (settings.answersFor?.(policy.locator) === false) {
    return { status: stored, owns: {}, isWhole: false, refused: [], omitted: [] };
  }
  const conditions = findings.length === 0 ? [] : conditionsAsWhole(policy, findings, settings);
  const owned = ownedTypes(settings);
  const withConditions = setConditionsInStatus(stored, conditions, { ...setOptions(policy, settings), owned });
  const { refused } = withConditions;
  // Entries with the controller's name are of another version, which renders statuses by ancestor.
  const { status } = setAncestorsInStatus(withConditions.status, [], entryOptions(policy, settings));
  const hasEntries = Array.isArray(status.ancestors) && status.ancestors.length > 0;
  return {
    status,
    owns: { conditions: conditionsIn(status, owned), ...(hasEntries ? { ancestors: status.ancestors } : {}) },
    isWhole: hasEntries,
    refused: refused.map(({ type }) => `its status is full: it cannot take the condition ${type}`),
    omitted: [],
  };
}

/** Returns the conditions of a policy on some of its targets, apart from ancestors. */
function conditionsAsWhole(
  policy: PolicyNode,
  findings: readonly Finding[],
  settings: PlanSettings,
): readonly ConditionUpdate[] {
  const subject = () => ({ policy, ancestor: undefined, report: reportOn(policy, findings) });
  return policyConditions(toldIn(findings, settings), subject, settings);
}

/** Returns a status with an entry for each ancestor, and in the form `targets` with the conditions of each target in it. */
function renderedByAncestor(policy: PolicyNode, findings: readonly Finding[], settings: PlanSettings): Rendered {
  const isByTarget = settings.rendering === 'targets';
  const isOwn = ownAncestorTest(policy, settings);
  const byAncestor = findingsByAncestor(policy, findings).filter(({ ancestorRef }) => isOwn(ancestorRef));
  const report = once(() => reportOn(policy, findings, byAncestor));
  const outcomes = new Map<readonly Finding[], ToldOutcome>();
  const entries = byAncestor.map(({ ancestorRef, findings: ofIt }, index) => {
    const subject = () => ({ policy, ancestor: report().ancestors[index], report: report() });
    const outcome = outcomes.get(ofIt) ?? toldIn(ofIt, settings);
    outcomes.set(ofIt, outcome);
    const targets = isByTarget ? targetConditions(ofIt, (some) => conditionsAsWhole(policy, some, settings)) : [];
    return { ancestorRef, targets, conditions: summarized(policyConditions(outcome, subject, settings), targets) };
  });
  const options = { ...entryOptions(policy, settings), isOwn };
  const { status: withEntries, refused } = setAncestorsInStatus(statusOf(policy.resource), entries, options);
  const status = wholeEntries(withEntries, entries, options);
  return {
    status,
    owns: { ancestors: status.ancestors ?? [] },
    isWhole: true,
    refused: refused.map(({ ancestorRef, limit }) =>
      limit === 'ancestors'
        ? `${named(ancestorRef)} does not fit into status.ancestors; remove entries of controllers that no longer exist`
        : `the entry of ${named(ancestorRef)} is full: it cannot take more conditions`,
    ),
    omitted: omittedAmong(refused, byAncestor),
  };
}

/** Returns a test of whether this process answers for an ancestor. */
function ownAncestorTest(policy: PolicyNode, { answersFor }: PlanSettings): (ancestorRef: ParentReference) => boolean {
  if (answersFor === undefined) return () => true;
  const within = policyNamespace(policy);
  return ({ group = 'gateway.networking.k8s.io', kind = 'Gateway', namespace = within, name }) =>
    answersFor(formatLocator({ group, kind, name, ...(namespace === '' ? {} : { namespace }) }));
}

/** Returns the ancestors that a policy reaches and that do not fit in its status. Ancestors that it only names must not be written to. */
function omittedAmong(
  refused: readonly RefusedAncestor[],
  byAncestor: readonly AncestorFindings[],
): readonly AncestorReport['ancestorRef'][] {
  const withoutRoom = new Set<unknown>();
  for (const { ancestorRef, limit } of refused) if (limit === 'ancestors') withoutRoom.add(ancestorRef);
  return byAncestor.flatMap(({ ancestorRef, findings }) =>
    withoutRoom.has(ancestorRef) && isReachedBy(findings) ? [ancestorRef] : [],
  );
}

function named({ kind = 'Gateway', namespace, name, sectionName: section, port }: ParentReference): string {
  return `${formatRef({ kind, namespace, name, section })}${port === undefined ? '' : `, port ${port}`}`;
}

/** Returns how the controller's entries are set. An entry with its name is the controller's as a whole, whichever version has written it. */
function entryOptions(policy: PolicyNode, settings: PlanSettings): AncestorOptions {
  const { controllerName, overflow } = settings;
  const namespace = policyNamespace(policy);
  return { ...setOptions(policy, settings), controllerName, namespace, overflow, owned: 'all' };
}

function setOptions({ resource }: PolicyNode, { now }: PlanSettings): SetOptions {
  return { observedGeneration: generationOf(resource), now };
}
