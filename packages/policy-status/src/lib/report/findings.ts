import type { PolicyOutcome } from '@policy-machinery/conditions';
import type { DeclaredPolicy, EffectivePolicies, ScopeGroup } from '@policy-machinery/effective-policy';
import { statusQueries } from '@policy-machinery/effective-policy/inner';
import { type Issue, refOf } from '@policy-machinery/resource';
import { type Attachment, formatTarget, type TargetNode } from '@policy-machinery/topology';
import { unreachedReason } from '@policy-machinery/topology/inner';
import { type Finding, findingAt } from './finding.ts';
import { attachmentOutcomes } from './outcome.ts';
import { declaredRef, placesOf, type ReportedPolicy } from './places.ts';
import { type Scopes, scopeFindings } from './scope-findings.ts';
import { findingsOfMembers, isAboutAll, type Verdicts, verdictFindings } from './verdict-findings.ts';

/**
 * Returns everything to report about a policy: its faults and, for each of its targets, its outcome in each scope.
 *
 * @param declared The policy.
 * @param effective The effective policies of its kind.
 * @param issues The issues that the topology reports about it.
 * @param finders Find ancestors and unknown parts; shared by all policies of a report.
 */
export function findingsOf(
  declared: DeclaredPolicy<unknown>,
  effective: EffectivePolicies<unknown>,
  issues: readonly Issue[],
  finders: Pick<ReportedPolicy, 'ancestorsOf' | 'notKnown'>,
): readonly Finding[] {
  const { node, policy, issues: ofReading } = declared;
  const itself = refOf(node.resource, node.kind.scope);
  const attachments = node.attachments.filter(({ outcome }) => outcome !== 'ManagedElsewhere'); // Other controllers report these.
  if (attachments.length === 0 && node.attachments.length > 0) return [];
  const onTargets = new Set(attachments.map(({ declared }) => declared.pointer));
  const faults = issues.filter(({ pointer, severity }) => severity === 'error' && !onTargets.has(pointer ?? ''));
  if (policy === undefined) {
    const details = sentences([...ofReading.filter(({ severity }) => severity === 'error'), ...faults]);
    const places = attachments.flatMap((it) => placesOf(it, { effective, itself, node, ...finders }));
    return findingAt(attachments.length > 0 ? places : [itself], { outcome: 'invalid', details });
  }
  const knownOf = knownByTraffic(effective, { ...finders, itself, node, issues, verdicts: declared.verdicts });
  return [
    ...(faults.length > 0 ? findingAt([itself], { outcome: 'invalid', details: sentences(faults) }) : []),
    ...attachments.flatMap((it) => attachmentFindings(it, knownOf(it))),
    ...(faults.length + attachments.length === 0
      ? findingAt([itself], untargeted(effective.kind.unreadAttachment))
      : []),
  ];
}

/** Looks scopes up once for all targets with the same traffic: a selector may attach the policy to thousands. */
function knownByTraffic(
  effective: EffectivePolicies<unknown>,
  policy: Omit<Known, 'effective' | 'scopes'>,
): (attachment: Attachment) => Known {
  const byTraffic = new Map<string | undefined, Known>();
  return ({ consumerNamespace }) => {
    const knownByTraffic = byTraffic.get(consumerNamespace);
    if (knownByTraffic !== undefined) return knownByTraffic;
    const view = consumerNamespace === undefined ? effective : effective.forTrafficFrom(consumerNamespace);
    const scopes = scopesByTarget(view.reachInGroups(policy.node.locator));
    const knownScopes = { ...policy, effective: view, scopes };
    byTraffic.set(consumerNamespace, knownScopes);
    return knownScopes;
  };
}

/** Returns the outcome of a policy that no target references, and that names none. */
function untargeted(unread: string | undefined): Outcome {
  if (unread === undefined) return { outcome: 'not-in-any-path', details: 'No target references this policy.' };
  const details = `Not computed: it names no target, and ${unread}, which is not read, can attach it.`;
  return { outcome: 'pending', details };
}

type Outcome = Pick<Finding, 'outcome' | 'details'>;

interface Known extends ReportedPolicy {
  readonly issues: readonly Issue[];
  /** The scopes of the policy by the target that it is attached to. */
  readonly scopes: ReadonlyMap<TargetNode, Scopes>;
  readonly verdicts: Verdicts;
}

function scopesByTarget(scopes: Scopes): ReadonlyMap<TargetNode, Scopes> {
  const byTarget = new Map<TargetNode, ScopeGroup<unknown>[]>();
  for (const scope of scopes) {
    for (const target of scope.targets) {
      const scopesThere = byTarget.get(target);
      if (scopesThere === undefined) byTarget.set(target, [scope]);
      else scopesThere.push(scope);
    }
  }
  return byTarget;
}

/**
 * Returns the findings about a policy on a target: its outcomes in scopes, the verdicts at the ancestors that they are about or that are above
 * these, and the reasons why it does not have an effect at the remaining ancestors.
 */
function attachmentFindings(attachment: Attachment, facts: Known): readonly Finding[] {
  const { effective, issues, verdicts } = facts;
  const { target, declared } = attachment;
  const failure = attachmentOutcomes[attachment.outcome];
  if (target === undefined || failure !== undefined) {
    if (failure === undefined) return [];
    const details =
      attachment.creator === undefined
        ? sentences(issues.filter(({ pointer }) => pointer === declared.pointer))
        : sentence(attachment.message ?? '', declared.pointer);
    const places = placesOf(attachment, facts);
    const on = target?.ref ?? declaredRef(declared);
    const ofVerdicts = verdictFindings(verdicts.filter(isAboutAll), undefined, places, facts);
    return [...findingAt(places, { outcome: failure, details }), ...ofVerdicts].map((it) => ({ ...it, on }));
  }
  const scopes = facts.scopes.get(target) ?? [];
  const leftOut = statusQueries(effective).leftOutBelow(target);
  const isComputed = scopes.length > 0 && leftOut.length === 0;
  const places = isComputed && verdicts.length === 0 ? [] : placesOf(attachment, facts);
  const ofMembers = findingsOfMembers(verdicts, target, facts);
  const ofVerdicts = [...verdictFindings(verdicts, target, places, facts), ...ofMembers].map(
    (it): Finding => ({ ...it, isReached: true, on: target.ref }),
  );
  if (verdicts.some(isAboutAll)) return ofVerdicts;
  const ofScopes = decidedFindings(scopeFindings(target, scopes, effective), target, facts);
  // An ancestor with a verdict does not have other findings, unless the policy has scopes there.
  const judged = new Set(ofVerdicts.flatMap(({ ancestors }) => ancestors));
  const open = isComputed || ofMembers.length > 0 ? [] : places.filter((place) => !judged.has(place));
  if (open.length === 0) return [...ofScopes, ...ofVerdicts];
  const why = withoutScopes(target, scopes.length > 0, leftOut, facts);
  return [...ofScopes, ...findingAt(open, { ...why, isReached: true, on: target.ref }), ...ofVerdicts];
}

/** Returns the findings about scopes; if the policy has lost all of these and may have others, that its outcome is not known. */
function decidedFindings(findings: readonly Finding[], target: TargetNode, { notKnown }: Known): readonly Finding[] {
  const isLost = findings.length > 0 && findings.every(({ outcome }) => lost.has(outcome));
  const details = isLost ? notKnown.around(target) : undefined;
  return details === undefined ? findings : findings.map((it) => ({ ...it, outcome: 'undecided', details }));
}

/** The outcomes of scopes where nothing of a policy is in force. */
const lost: ReadonlySet<PolicyOutcome> = new Set(['overridden', 'conflicted']);

/** Returns the outcome and message of a policy on a target, apart from its scopes. */
function withoutScopes(
  target: TargetNode,
  hasScopes: boolean,
  leftOut: readonly TargetNode[],
  { effective, node, notKnown }: Known,
): Outcome {
  const conflict = hasScopes ? undefined : effective.conflictAt(node.locator, target);
  if (conflict !== undefined) return { outcome: 'conflicted', details: conflict.share };
  const name = formatTarget(target);
  if (statusQueries(effective).isSurplus(node.locator, target)) {
    const details = `Not computed: ${name} has too many policies, or its policies set too many fields; remove policies or fields.`;
    return { outcome: 'pending', details };
  }
  if (leftOut.length > 0) {
    return {
      outcome: 'pending',
      details: `Not computed: too many combinations of policies apply to ${listed(leftOut)}.`,
    };
  }
  const isReached = statusQueries(effective).isReached(target);
  const unknown = isReached ? notKnown.below(target) : notKnown.above(target);
  if (unknown !== undefined) return { outcome: 'undecided', details: unknown };
  const details = isReached
    ? `${name} does not have targets that this policy can affect.`
    : noPathTo(target, effective);
  return { outcome: 'not-in-any-path', details };
}

/** Returns that no path leads to a target, with the reason: the listener that refuses it, for example. */
function noPathTo(target: TargetNode, { topology }: EffectivePolicies<unknown>): string {
  const reason = unreachedReason(target, topology) ?? '';
  const sentence = reason === '' ? '' : ` ${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return `No path leads to ${formatTarget(target)}.${sentence}`;
}

function listed(targets: readonly TargetNode[]): string {
  const more = targets.length > 5 ? ' and others' : '';
  return targets.slice(0, 5).map(formatTarget).join(', ') + more;
}

/** Returns issues as sentences, each with its JSON Pointer into the policy. */
function sentences(issues: readonly Issue[]): string {
  return issues.map(({ message, pointer }) => sentence(message, pointer)).join(' ');
}

function sentence(message: string, pointer = ''): string {
  return `${pointer === '' ? '' : `${pointer}: `}${message}.`;
}
