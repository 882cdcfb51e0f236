import type { PolicyOutcome } from '@policy-machinery/conditions';
import type { DeclaredPolicy, EffectivePolicies, ScopeGroup, ScopeOutcome } from '@policy-machinery/effective-policy';
import { groupKindKey, type Issue, type ResourceRef, refOf } from '@policy-machinery/resource';
import { type Attachment, formatTarget, isSectionKind, type TargetNode } from '@policy-machinery/topology';
import { attachmentOutcomes } from './outcome.ts';

type Scopes = readonly ScopeGroup<unknown>[];

/** Something to be reported of a policy, before it is put together by ancestor. */
export interface Finding {
  readonly ancestor: ResourceRef;
  readonly outcome: PolicyOutcome;
  /** Whether the policy is attached to something there. */
  readonly isReached: boolean;
  /** Scopes of which that is to be said, or what is to be said without any. */
  readonly said: Scopes | string;
}

/**
 * All that is to be said of a policy: what is wrong with it, and for each of its targets what has become of it in each scope.
 *
 * @param declared The policy.
 * @param effective The effective policies of its kind.
 * @param issues What the topology says of it.
 */
export function findingsOf(
  { node, policy, issues: ofReading }: DeclaredPolicy<unknown>,
  effective: EffectivePolicies<unknown>,
  issues: readonly Issue[],
): readonly Finding[] {
  const itself = refOf(node.resource, node.kind.scope);
  const attachments = node.attachments.filter(({ outcome }) => outcome !== 'ManagedElsewhere'); // Others' to say (T-22).
  if (attachments.length === 0 && node.attachments.length > 0) return [];
  const onTargets = new Set(attachments.map(({ declared }) => declared.pointer));
  const faults = issues.filter(({ pointer, severity }) => severity === 'error' && !onTargets.has(pointer ?? ''));
  if (policy === undefined) {
    const said = sentences([...ofReading.filter(({ severity }) => severity === 'error'), ...faults]);
    const places = attachments.flatMap((it) => placesOf(it, { effective, itself }));
    return (places.length > 0 ? places : [itself]).map((ancestor) => ({
      ancestor,
      outcome: 'invalid',
      isReached: false,
      said,
    }));
  }
  const onItself = (outcome: PolicyOutcome, said: string): Finding => ({
    ancestor: itself,
    outcome,
    isReached: false,
    said,
  });
  const scopesOf = ({ consumerNamespace }: Attachment): Scopes =>
    (consumerNamespace === undefined ? effective : effective.forTrafficFrom(consumerNamespace)).reachInGroups(
      node.locator,
    );
  return [
    ...(faults.length > 0 ? [onItself('invalid', sentences(faults))] : []),
    ...attachments.flatMap((it) => attachmentFindings(it, { effective, itself, issues, scopes: scopesOf(it) })),
    ...(faults.length + attachments.length === 0 ? [onItself('not-in-any-path', 'Nothing names it.')] : []),
  ];
}

interface Known {
  readonly effective: EffectivePolicies<unknown>;
  /** The policy. */
  readonly itself: ResourceRef;
  readonly issues: readonly Issue[];
  readonly scopes: Scopes;
}

function attachmentFindings(attachment: Attachment, known: Known): readonly Finding[] {
  const { effective, issues, scopes } = known;
  const { target, declared } = attachment;
  const failure = attachmentOutcomes[attachment.outcome];
  if (target === undefined || failure !== undefined) {
    const said = sentences(issues.filter(({ pointer }) => pointer === declared.pointer));
    if (failure === undefined) return [];
    return placesOf(attachment, known).map((ancestor) => ({ ancestor, outcome: failure, isReached: false, said }));
  }
  const inScopes = scopeFindings(target, scopes);
  const leftOut = leftOutBeneath(target, effective);
  if (inScopes.length > 0 && leftOut.length === 0) return inScopes;
  const [outcome, said]: readonly [PolicyOutcome, string] =
    leftOut.length > 0
      ? ['pending', `Not worked out where policies meet in too many ways: ${listed(leftOut)}.`]
      : ['not-in-any-path', `Nothing that it could have an effect on is beneath ${formatTarget(target)}.`];
  return [
    ...inScopes,
    ...placesOf(attachment, known).map((ancestor) => ({ ancestor, outcome, isReached: true, said })),
  ];
}

/** What is to be said of a policy in its scopes by one of its targets: one finding for each ancestor and outcome. */
function scopeFindings(target: TargetNode, scopes: Scopes): readonly Finding[] {
  const alone = [target];
  const byAncestor = new Map<TargetNode, Map<ScopeOutcome, ScopeGroup<unknown>[]>>();
  for (const scope of scopes) {
    if (!scope.targets.has(target)) continue;
    const { ancestors, outcome } = scope;
    for (const ancestor of ancestors.length > 0 ? ancestors : alone) {
      const byOutcome = byAncestor.get(ancestor);
      const alike = byOutcome?.get(outcome);
      if (alike !== undefined) alike.push(scope);
      else if (byOutcome !== undefined) byOutcome.set(outcome, [scope]);
      else byAncestor.set(ancestor, new Map([[outcome, [scope]]]));
    }
  }
  const findings: Finding[] = [];
  for (const [{ ref: ancestor }, byOutcome] of byAncestor) {
    for (const [outcome, said] of byOutcome) findings.push({ ancestor, outcome, isReached: true, said });
  }
  return findings;
}

/** The effective targets at or beneath a target that have no effective policies. O(targets beneath), if there are any. */
function leftOutBeneath(target: TargetNode, { leftOut, topology }: EffectivePolicies<unknown>): readonly TargetNode[] {
  if (leftOut.length === 0) return [];
  const within = [target, ...topology.membersOf(target)];
  const beneath = new Set(within.flatMap((it) => [it, ...topology.descendants(it)]));
  return leftOut.filter((it) => beneath.has(it));
}

function listed(targets: readonly TargetNode[]): string {
  const more = targets.length > 5 ? ' and others' : '';
  return targets.slice(0, 5).map(formatTarget).join(', ') + more;
}

/** What a target stands for in a status: the ancestors that it is, or has above it; else itself. O(targets above). */
function placesOf(
  { target, declared }: Attachment,
  { effective: { topology, kind }, itself }: Pick<Known, 'effective' | 'itself'>,
): readonly ResourceRef[] {
  if (target === undefined) return [declaredRef(declared) ?? itself];
  const keys = new Set(kind.ancestors.map(groupKindKey));
  const isAncestor = (node: TargetNode): boolean => !isSectionKind(node.kind) && keys.has(groupKindKey(node.kind));
  if (isAncestor(target.object)) return [target.object.ref];
  const above = topology.ancestors(target).filter(isAncestor);
  return (above.length > 0 ? above : [target]).map(({ ref }) => ref);
}

/** What a policy names; a selector names nothing. */
function declaredRef(declared: Attachment['declared']): ResourceRef | undefined {
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

/** Issues as sentences, each with its place in the policy. */
function sentences(issues: readonly Issue[]): string {
  return issues.map(({ message, pointer = '' }) => `${pointer === '' ? '' : `${pointer}: `}${message}.`).join(' ');
}
