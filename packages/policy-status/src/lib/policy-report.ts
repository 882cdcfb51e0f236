import type { ParentReference, PolicyOutcome } from '@policy-machinery/conditions';
import type { DeclaredPolicy, EffectivePolicies, PolicyScope } from '@policy-machinery/effective-policy';
import { groupKindKey, type Issue, type ResourceRef, refOf } from '@policy-machinery/resource';
import {
  type Attachment,
  isSectionKind,
  type PolicyNode,
  type TargetNode,
  type Topology,
} from '@policy-machinery/topology';
import { scopesMessage } from './message.ts';
import { attachmentOutcomes, combineOutcomes } from './outcome.ts';

/** What has become of a policy. */
export interface PolicyReport {
  readonly policy: PolicyNode;
  /** As a whole. */
  readonly outcome: PolicyOutcome;
  /** As a whole, for people. */
  readonly message: string;
  /** With respect to each ancestor (S-12), in the order of their references. */
  readonly ancestors: readonly AncestorReport[];
}

/** What has become of a policy with respect to one ancestor of its targets. */
export interface AncestorReport {
  /** An ancestor of the kind's, such as a Gateway; where there is none the target, or the policy itself (X-19). */
  readonly ancestorRef: ParentReference & Required<Pick<ParentReference, 'group' | 'kind'>>;
  readonly outcome: PolicyOutcome;
  readonly message: string;
}

/** Something to be reported of a policy, before it is put together by ancestor. */
interface Finding {
  readonly ancestor: ResourceRef;
  readonly outcome: PolicyOutcome;
  /** A scope, or what is to be said without one. */
  readonly said: PolicyScope<unknown> | string;
}

/**
 * Works out what has become of each policy of a kind, from the origins of the effective policies (S-06).
 *
 * @param effective The effective policies of the kind.
 * @param only Locators of the policies that are asked for. Default: all.
 * @returns One report for each policy, valid or not, in the order of their locators.
 */
export function reportPolicies(
  effective: EffectivePolicies<unknown>,
  only?: ReadonlySet<string>,
): readonly PolicyReport[] {
  const issues = issuesByResource(effective.topology.issues);
  const policies = effective.policies.filter(({ node }) => only?.has(node.locator) ?? true);
  return policies.map((declared) =>
    reportOf(declared.node, findingsOf(declared, effective, issues.get(declared.node.locator) ?? [])),
  );
}

function reportOf(policy: PolicyNode, findings: readonly Finding[]): PolicyReport {
  const byAncestor = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { group, kind, namespace = policy.resource.metadata.namespace ?? '', name, section } = finding.ancestor;
    const key = JSON.stringify([group, kind, namespace, name, section ?? '']);
    byAncestor.set(key, [...(byAncestor.get(key) ?? []), finding]);
  }
  const ancestors = [...byAncestor]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, ofIt]) => ({ ancestorRef: parentReference((ofIt[0] as Finding).ancestor), ...summaryOf(ofIt) }));
  return { policy, ...summaryOf(findings), ancestors };
}

function summaryOf(findings: readonly Finding[]): Pick<PolicyReport, 'outcome' | 'message'> {
  const outcome = combineOutcomes(findings.map((finding) => finding.outcome));
  const said = findings.flatMap((finding) => (typeof finding.said === 'string' ? [finding.said] : []));
  const scopes = findings.flatMap((finding) => (typeof finding.said === 'string' ? [] : [finding.said]));
  const messages = [...(scopes.length > 0 ? [scopesMessage(outcome, scopes)] : []), ...new Set(said)];
  return { outcome, message: messages.join(' ') };
}

function findingsOf(
  { node, policy, issues }: DeclaredPolicy<unknown>,
  effective: EffectivePolicies<unknown>,
  topologyIssues: readonly Issue[],
): readonly Finding[] {
  const { topology, kind } = effective;
  const above = (target: TargetNode): readonly ResourceRef[] => ancestorsAbove(target, topology, kind.ancestors);
  const itself = refOf(node.resource, node.kind.scope);
  const errors = issues.filter(({ severity }) => severity === 'error');
  const faults = node.attachments.length === 0 ? topologyIssues.filter(({ severity }) => severity === 'error') : [];
  if (policy === undefined || faults.length > 0) {
    const said = sentences([...errors, ...faults]);
    const attached = node.attachments.flatMap(({ target }) => (target === undefined ? [] : above(target)));
    const declared = node.attachments.map(({ declared: target }) => refOfDeclared(target) ?? itself);
    const places = [attached, declared, [itself]].find((refs) => refs.length > 0) ?? [];
    return places.map((ancestor) => ({ ancestor, outcome: 'invalid', said }));
  }
  const scopes = effective.reach(node.locator);
  return node.attachments.flatMap((attachment): readonly Finding[] => {
    const { target, declared } = attachment;
    const failure = attachmentOutcomes[attachment.outcome];
    if (target === undefined || failure !== undefined) {
      const about = topologyIssues.filter(({ pointer }) => pointer === declared.pointer);
      const ancestor = refOfDeclared(declared) ?? itself;
      return failure === undefined ? [] : [{ ancestor, outcome: failure, said: sentences(about) }];
    }
    const here = scopes.filter((scope) => scope.effective.levels.some((level) => level.target === target));
    if (here.length === 0) {
      const said = 'Nothing that it could have an effect on is beneath its target.';
      return above(target).map((ancestor) => ({ ancestor, outcome: 'not-in-any-path', said }));
    }
    return here.flatMap((scope) => {
      const { ancestors } = scope.effective;
      const refs = ancestors.length > 0 ? ancestors.map(({ ref }) => ref) : [target.ref];
      return refs.map((ancestor) => ({ ancestor, outcome: scope.outcome, said: scope }));
    });
  });
}

/** The ancestors that a target has above it, or is; without any, the target itself. O(targets above). */
function ancestorsAbove(
  target: TargetNode,
  topology: Topology,
  kinds: EffectivePolicies<unknown>['kind']['ancestors'],
): readonly ResourceRef[] {
  const keys = new Set(kinds.map(groupKindKey));
  const isAncestor = ({ kind }: TargetNode): boolean => !isSectionKind(kind) && keys.has(groupKindKey(kind));
  if (isAncestor(target.object)) return [target.object.ref];
  const found = topology.ancestors(target).filter(isAncestor);
  return found.length > 0 ? found.map(({ ref }) => ref) : [target.ref];
}

/** What a policy names; a selector names nothing. */
function refOfDeclared(declared: Attachment['declared']): ResourceRef | undefined {
  if (!('name' in declared)) return undefined;
  const { group, kind, namespace, name, sectionName } = declared;
  return {
    group,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(sectionName === undefined ? {} : { section: sectionName }),
  };
}

function parentReference({ group, kind, namespace, name, section }: ResourceRef): AncestorReport['ancestorRef'] {
  return {
    group,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(section === undefined ? {} : { sectionName: section }),
  };
}

function issuesByResource(issues: readonly Issue[]): ReadonlyMap<string, readonly Issue[]> {
  const byResource = new Map<string, Issue[]>();
  for (const issue of issues) {
    if (issue.resource === undefined) continue;
    const there = byResource.get(issue.resource) ?? [];
    byResource.set(issue.resource, there);
    there.push(issue);
  }
  return byResource;
}

/** Issues as sentences, each with its place in the policy. */
function sentences(issues: readonly Issue[]): string {
  return issues.map(({ message, pointer = '' }) => `${pointer === '' ? '' : `${pointer}: `}${message}.`).join(' ');
}
