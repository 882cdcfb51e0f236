import {
  type ConditionUpdate,
  type ParentReference,
  type PolicyOutcome,
  type RefusedAncestor,
  setAncestorsInStatus,
  setConditionsInStatus,
} from '@policy-machinery/conditions';
import type { DeclaredPolicy, EffectivePolicies } from '@policy-machinery/effective-policy';
import { formatLocator, type JsonObject, type KubernetesObject, printable, refOf } from '@policy-machinery/resource';
import { formatRef, type PolicyNode } from '@policy-machinery/topology';
import type { Finding } from '../report/finding.ts';
import { policyNamespace } from '../report/policy-name.ts';
import {
  type AncestorFindings,
  type AncestorReport,
  findingsByAncestor,
  findingsIn,
  mergingIn,
  messageOf,
  outcomeOf,
  policiesIn,
  reportOn,
} from '../report/policy-report.ts';
import { conditionsIn } from '../status/owned-fields.ts';
import { saysTheSame } from '../status/says-the-same.ts';
import { generationOf, statusOf } from '../status/status-of.ts';
import { type StatusWrite, writeOf } from '../status/status-write.ts';
import type { OmittedAncestor } from './omitted-ancestors.ts';
import type { PlanSettings } from './plan-options.ts';
import { InvalidConditionError, ownedTypes, policyConditions, type ToldOutcome } from './policy-conditions.ts';
import { refusingNoJson } from './refuse-no-json.ts';
import type { PlannedWrites, RefusedStatus } from './status-plan.ts';
import { summarized, targetFindings, underAncestors, withTargets } from './target-statuses.ts';

/** The writes to policies, and the ancestors for which they have no room. */
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
    const rendered = renderedUnlessInvalid(node, findingsOn(declared), settings, refused);
    if (rendered === undefined) return [];
    refused.push(...rendered.refused.map((message) => ({ resource: locator, message: printable(message) })));
    omitted.push(...rendered.omitted.map((ancestorRef) => ({ policy: node, ancestorRef })));
    const { status } = rendered;
    if (status === statusOf(resource)) return [];
    const changed = { ...resource, status };
    const ref = refOf(resource, kind.scope);
    const owns = { status: rendered.owns };
    const urgency = saysTheSame(statusOf(resource), status) ? 'policy' : 'outcome';
    const { isWhole } = rendered;
    const { precondition } = settings;
    return [writeOf({ ref, locator, resource, subresource: 'status', changed, owns, isWhole, urgency, precondition })];
  };
  const writes = policiesIn(effective, only).flatMap(
    (it) => refusingNoJson(it.node.locator, it.node.resource, refused, () => planOf(it)) ?? [],
  );
  return { writes, refused, omitted };
}

/** Returns the status of a policy; `undefined` if the controller's conditions cannot be written. */
function renderedUnlessInvalid(
  policy: PolicyNode,
  findings: readonly Finding[],
  settings: PlanSettings,
  refused: RefusedStatus[],
): Rendered | undefined {
  try {
    return renderings[settings.rendering](policy, findings, settings);
  } catch (error) {
    if (!(error instanceof InvalidConditionError)) throw error;
    refused.push({ resource: policy.locator, message: printable(error.message) });
    return undefined;
  }
}

/**
 * Returns the outcomes that are left to other controllers: those without conditions in the vocabulary, and missing targets that they may
 * know (X-19).
 */
function ignoredBy({ vocabulary: { outcomes }, unknownTarget }: PlanSettings): ReadonlySet<PolicyOutcome> {
  const wordless = (Object.keys(outcomes) as PolicyOutcome[]).filter((outcome) => outcomes[outcome].length === 0);
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

/** The forms of a policy's status (X-13). */
const renderings: Readonly<
  Record<
    PlanSettings['rendering'],
    (policy: PolicyNode, findings: readonly Finding[], settings: PlanSettings) => Rendered
  >
> = {
  ancestors: (policy, findings, settings) => ancestorsRendered(policy, findings, settings),
  targets: (policy, findings, settings) => {
    const conditionsOn = (some: readonly Finding[]) => conditionsAsWhole(policy, some, settings);
    const below = underAncestors(findings);
    const byAncestor = ownAmong(findingsByAncestor(policy, below), policy, settings);
    const rendered = ancestorsRendered(policy, below, settings, (conditions, some) =>
      summarized(
        conditions,
        targetFindings(some).map((it) => conditionsOn(it.findings)),
      ),
    );
    const status = withTargets(rendered.status, byAncestor, {
      ...optionsFor(policy.resource, settings),
      controllerName: settings.controllerName,
      namespace: policyNamespace(policy),
      conditionsOn,
    });
    return { ...rendered, status, owns: { ancestors: status.ancestors ?? [] } };
  },
  conditions: (policy, findings, settings) => {
    const { resource } = policy;
    if (!settings.answersFor(policy.locator)) return untouched(resource);
    const { status, refused } = setConditionsInStatus(
      statusOf(resource),
      findings.length === 0 ? [] : conditionsAsWhole(policy, findings, settings),
      optionsFor(resource, settings),
    );
    return {
      status,
      owns: { conditions: conditionsIn(status, ownedTypes(settings)) },
      isWhole: false,
      refused: refused.map(({ type }) => `its status has no room for the condition ${type}`),
      omitted: [],
    };
  },
};

/** Returns the conditions of a policy on some of its targets, apart from ancestors. */
function conditionsAsWhole(
  policy: PolicyNode,
  findings: readonly Finding[],
  settings: PlanSettings,
): readonly ConditionUpdate[] {
  const subject = () => ({ policy, ancestor: undefined, report: reportOn(policy, findings) });
  return policyConditions(toldIn(findings), subject, settings);
}

/** @param summary Returns an entry's conditions from all of its findings' conditions. Default: the same. */
function ancestorsRendered(
  policy: PolicyNode,
  findings: readonly Finding[],
  settings: PlanSettings,
  summary: (conditions: readonly ConditionUpdate[], findings: readonly Finding[]) => readonly ConditionUpdate[] = (
    all,
  ) => all,
): Rendered {
  const byAncestor = ownAmong(findingsByAncestor(policy, findings), policy, settings);
  const isOwn = (ancestorRef: ParentReference) => answersForAncestor(ancestorRef, policy, settings);
  const report = once(() => reportOn(policy, findings, byAncestor));
  const updates = byAncestor.map(({ ancestorRef, findings: ofIt }, index) => {
    const subject = () => ({ policy, ancestor: report().ancestors[index], report: report() });
    return { ancestorRef, conditions: summary(policyConditions(toldIn(ofIt), subject, settings), ofIt) };
  });
  const { status, refused } = setAncestorsInStatus(statusOf(policy.resource), updates, {
    ...optionsFor(policy.resource, settings),
    controllerName: settings.controllerName,
    namespace: policyNamespace(policy),
    overflow: settings.overflow,
    isOwn,
  });
  return {
    status,
    owns: { ancestors: status.ancestors ?? [] },
    isWhole: true,
    refused: refused.map(({ ancestorRef, limit }) =>
      limit === 'ancestors'
        ? `${named(ancestorRef)} does not fit into status.ancestors; remove entries of controllers that no longer exist`
        : `the entry of ${named(ancestorRef)} has no room for more conditions`,
    ),
    omitted: omittedAmong(refused, byAncestor),
  };
}

/** Returns the status of a policy that another replica answers for. */
function untouched(resource: KubernetesObject): Rendered {
  return { status: statusOf(resource), owns: {}, isWhole: false, refused: [], omitted: [] };
}

/** Returns the ancestors that this process answers for. */
function ownAmong(
  byAncestor: readonly AncestorFindings[],
  policy: PolicyNode,
  settings: PlanSettings,
): readonly AncestorFindings[] {
  return byAncestor.filter(({ ancestorRef }) => answersForAncestor(ancestorRef, policy, settings));
}

function answersForAncestor(
  { group = 'gateway.networking.k8s.io', kind = 'Gateway', namespace, name }: ParentReference,
  policy: PolicyNode,
  { answersFor }: PlanSettings,
): boolean {
  const within = namespace ?? policyNamespace(policy);
  return answersFor(formatLocator({ group, kind, name, ...(within === '' ? {} : { namespace: within }) }));
}

/** Returns the outcome of a policy as its conditions describe it. */
function toldIn(findings: readonly Finding[]): ToldOutcome {
  const { outcome, reason } = outcomeOf(findings);
  return { outcome, reason, merging: mergingIn(findings), message: once(() => messageOf(outcome, findings)) };
}

/** Returns the ancestors that a policy reaches and that its status has no room for. Ancestors that it only names must not be written to. */
function omittedAmong(
  refused: readonly RefusedAncestor[],
  byAncestor: readonly AncestorFindings[],
): readonly AncestorReport['ancestorRef'][] {
  const withoutRoom = new Set<unknown>();
  for (const { ancestorRef, limit } of refused) if (limit === 'ancestors') withoutRoom.add(ancestorRef);
  return byAncestor.flatMap(({ ancestorRef, findings }) =>
    withoutRoom.has(ancestorRef) && findings.some(({ isReached }) => isReached) ? [ancestorRef] : [],
  );
}

/** Returns a function that computes a value when it is called first. */
function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

function named({ kind = 'Gateway', namespace, name, sectionName: section, port }: ParentReference): string {
  return `${formatRef({ kind, namespace, name, section })}${port === undefined ? '' : `, port ${port}`}`;
}

function optionsFor(resource: KubernetesObject, settings: PlanSettings) {
  return { observedGeneration: generationOf(resource), now: settings.now, owned: ownedTypes(settings) };
}
