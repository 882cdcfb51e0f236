// report/: the outcome of each policy. Takes effective policies and returns reports: an outcome and a message for each policy, as a whole and
// for each ancestor. A finding is one thing to report, an ancestor the object that a status names beside it (a Gateway, usually), and a scope the
// contexts where a policy has one outcome.

import { ancestorKey, type Merging, type ParentReference, type PolicyOutcome } from '@policy-machinery/conditions';
import type { DeclaredPolicy, EffectivePolicies, PolicyShare } from '@policy-machinery/effective-policy';
import { printable, type ResourceRef } from '@policy-machinery/resource';
import type { PolicyNode } from '@policy-machinery/topology';
import { ancestorFinder } from './ancestor-finder.ts';
import type { Finding } from './finding.ts';
import { findingsOf } from './findings.ts';
import { notKnownOf } from './not-known.ts';
import { combineOutcomes } from './outcome.ts';
import { policyNamespace } from './policy-name.ts';
import { type NameOf, scopesMessage } from './scopes-message.ts';

/** The outcome of a policy. */
export interface PolicyReport {
  readonly policy: PolicyNode;
  /** The outcome of the policy as a whole. */
  readonly outcome: PolicyOutcome;
  /** The message about the policy as a whole. */
  readonly message: string;
  /** The reason for the outcome, from the controller's verdict. */
  readonly reason?: string;
  /** The outcomes for each ancestor, in the order of their references; empty if other controllers report them. */
  readonly ancestors: readonly AncestorReport[];
}

/** The outcome of a policy for one ancestor of its targets. */
export interface AncestorReport {
  /** An ancestor of the kind, such as a Gateway; without one, the target or the policy itself. */
  readonly ancestorRef: ParentReference & Required<Pick<ParentReference, 'group' | 'kind'>>;
  readonly outcome: PolicyOutcome;
  readonly message: string;
  /** The reason for the outcome, from the controller's verdict. */
  readonly reason?: string;
  /** Whether the policy is attached to something there, rather than only naming it. */
  readonly isReached: boolean;
}

/**
 * Returns the outcome of each policy of a kind, from the origins of the effective policies.
 *
 * @param effective The effective policies of the kind.
 * @param options The locators of the `policies` to report, by default all, and outcomes that are `ignored` for all targets, by default none.
 * @returns One report for each policy, valid or not, in the order of their locators.
 */
export function reportPolicies(
  effective: EffectivePolicies<unknown>,
  {
    policies,
    ignored = new Set(),
  }: { readonly policies?: ReadonlySet<string> | undefined; readonly ignored?: ReadonlySet<PolicyOutcome> } = {},
): readonly PolicyReport[] {
  const findingsOn = findingsIn(effective, ignored);
  return policiesIn(effective, policies).map((declared) => reportOn(declared.node, findingsOn(declared)));
}

/** Returns a function that finds everything to report about a policy, valid while the topology does not change. */
export function findingsIn(
  effective: EffectivePolicies<unknown>,
  ignored: ReadonlySet<PolicyOutcome>,
): (declared: DeclaredPolicy<unknown>) => readonly Finding[] {
  const ancestorsOf = ancestorFinder(effective);
  const notKnown = notKnownOf(effective);
  return (declared) => {
    const issues = effective.topology.issuesAbout(declared.node.locator);
    const findings = findingsOf(declared, effective, issues, { ancestorsOf, notKnown });
    return ignored.size === 0 ? findings : findings.filter(({ outcome }) => !ignored.has(outcome));
  };
}

/** Returns policies of a kind in the order of their locators. */
export function policiesIn(
  effective: EffectivePolicies<unknown>,
  only: ReadonlySet<string> | undefined,
): readonly DeclaredPolicy<unknown>[] {
  if (only === undefined) return effective.policies;
  return [...only].sort().flatMap((locator) => effective.policy(locator) ?? []);
}

/**
 * Combines the findings about a policy.
 *
 * @param byAncestor The same for each ancestor to report. Default: all.
 */
export function reportOn(
  policy: PolicyNode,
  findings: readonly Finding[],
  byAncestor: readonly AncestorFindings[] = findingsByAncestor(policy, findings),
): PolicyReport {
  return { policy, ...summaryOf(findings), ancestors: byAncestor.map(ancestorReport) };
}

/** The findings about a policy for one ancestor. Ancestors with the same findings have the identical list. */
export interface AncestorFindings extends Pick<AncestorReport, 'ancestorRef'> {
  readonly findings: readonly Finding[];
}

/** Combines the findings for one ancestor. */
function ancestorReport({ ancestorRef, findings }: AncestorFindings): AncestorReport {
  return { ancestorRef, ...summaryOf(findings), isReached: isReachedBy(findings) };
}

/** Returns whether a policy is attached to something at an ancestor. */
export function isReachedBy(findings: readonly Finding[]): boolean {
  return findings.some(({ isReached }) => isReached);
}

/** Groups the findings about a policy by ancestor, in the order of the references to these. */
export function findingsByAncestor(policy: PolicyNode, findings: readonly Finding[]): readonly AncestorFindings[] {
  const namespace = policyNamespace(policy);
  const byAncestor = new Map<ResourceRef, Finding[]>();
  for (const finding of findings) {
    for (const ancestor of finding.ancestors) {
      const findingsThere = byAncestor.get(ancestor);
      if (findingsThere === undefined) byAncestor.set(ancestor, [finding]);
      else findingsThere.push(finding);
    }
  }
  const byKey = new Map<string, { ancestorRef: AncestorReport['ancestorRef']; findings: Finding[] }>();
  for (const [ancestor, ofIt] of byAncestor) {
    const ancestorRef = parentReference(ancestor);
    const key = ancestorKey(ancestorRef, namespace)?.text ?? '';
    const entryThere = byKey.get(key);
    if (entryThere === undefined) byKey.set(key, { ancestorRef, findings: ofIt });
    else for (const finding of ofIt) entryThere.findings.push(finding);
  }
  const numbers = new Map(findings.map((finding, index) => [finding, index]));
  const lists = new Map<string, Finding[]>();
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, entry]) => {
      const key = entry.findings.map((finding) => numbers.get(finding)).join();
      entry.findings = lists.get(key) ?? entry.findings;
      lists.set(key, entry.findings);
      return entry;
    });
}

/** Combines findings into an outcome and a message. */
export function summaryOf(
  findings: readonly Finding[],
  nameOf?: NameOf,
): Pick<PolicyReport, 'outcome' | 'message' | 'reason'> {
  const combined = outcomeOf(findings);
  return { ...combined, message: messageOf(combined.outcome, findings, nameOf) };
}

/** Combines findings into an outcome, with the reason from the controller's verdict. O(findings), however many scopes they have. */
export function outcomeOf(findings: readonly Finding[]): Pick<PolicyReport, 'outcome' | 'reason'> {
  const outcome = combineOutcomes(findings.map((it) => it.outcome));
  const reason = findings.find((it) => it.outcome === outcome && it.reason !== undefined)?.reason;
  return reason === undefined ? { outcome } : { outcome, reason };
}

/** Returns the message about a combined outcome. O(scopes and their rivals). */
function messageOf(outcome: PolicyOutcome, findings: readonly Finding[], nameOf?: NameOf): string {
  const texts = new Set<string>();
  const shares = new Set<PolicyShare<unknown>>();
  for (const { details } of findings) {
    if (typeof details === 'string') texts.add(details);
    else shares.add(details);
  }
  const messages = [...(shares.size > 0 ? [scopesMessage(outcome, shares, nameOf)] : []), ...firstOf([...texts])];
  return printable(messages.join(' ') || 'Its targets are left to other controllers.');
}

/** Returns how a policy is merged with others: completely if, wherever it is not merged, it is in force as a whole. */
export function mergingIn(findings: readonly Finding[]): Merging | undefined {
  let isMerged = false;
  let isWhole = true;
  for (const { outcome, details } of findings) {
    const isPart = typeof details !== 'string' && details.isMerged;
    isMerged ||= isPart;
    isWhole &&= isPart || outcome === (typeof details === 'string' ? 'not-in-any-path' : 'enforced');
  }
  if (!isMerged) return undefined;
  return isWhole ? 'merged' : 'partly-merged';
}

/** As many as a policy may have `targetRefs`. A selector may find thousands of targets with something to report. */
const maxTexts = 16;

function firstOf(texts: readonly string[]): readonly string[] {
  const more = texts.length - maxTexts;
  return more <= 0 ? texts : [...texts.slice(0, maxTexts), `And ${more} more.`];
}

/** Returns a reference as statuses have it, without the namespace `within` that is the default of its holder. */
export function parentReference(
  { group, kind, namespace, name, section }: ResourceRef,
  within?: string,
): AncestorReport['ancestorRef'] {
  return {
    group,
    kind,
    ...(namespace === undefined || namespace === within ? {} : { namespace }),
    name,
    ...(section === undefined ? {} : { sectionName: section }),
  };
}
