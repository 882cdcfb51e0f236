import {
  formatLocator,
  groupKindOf,
  type Issue,
  type KubernetesObject,
  namespaceOf,
  type ResourceRef,
} from '@policy-machinery/resource';
import type { DeclaredTarget } from '@policy-machinery/target-ref';
import type { AttachableKind, Attachment, PolicyNode } from './attachment.ts';
import { attachmentIssue, type Sought } from './attachment-issue.ts';
import { type Kinds, kindIn } from './kinds.ts';
import { readSafely } from './links.ts';
import { isSectionKind, type Targetable, targetableKey } from './target-kind.ts';
import type { TargetNode } from './target-node.ts';

/** Attaches every policy to the targets that it declares. */
export function attachPolicies(
  resources: ReadonlyMap<string, KubernetesObject>,
  kinds: Kinds,
  targets: ReadonlyMap<string, TargetNode>,
  untargetable: ReadonlySet<TargetNode>,
  report: (issue: Issue) => void,
): ReadonlyMap<string, PolicyNode> {
  const policies = new Map<string, PolicyNode>();
  for (const [locator, resource] of [...resources].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kind = kindIn(kinds.policies, groupKindOf(resource));
    if (kind === undefined) continue;
    const resolved = declaredTargets(locator, resource, kind, report).map((declared) => {
      const isInNamespace = kindIn(kinds.targets, declared)?.scope !== 'Cluster';
      const ref = soughtRef(declared, isInNamespace, resource, kind);
      const { section: _, ...whole } = ref;
      const object = targets.get(formatLocator(whole));
      const found = targets.get(formatLocator(ref));
      const target = found === undefined || untargetable.has(found) ? undefined : found;
      const sections = () =>
        (object?.sections ?? []).flatMap((node) => (untargetable.has(node) ? [] : (node.ref.section ?? [])));
      const lacksNamespace = isInNamespace && ref.namespace === undefined;
      const attachment = attach(declared, kind, { refusal: refusalOf(ref, resource, kind), object, target });
      return { sought: { ref, lacksNamespace, sections } satisfies Sought, attachment };
    });
    const policy = { locator, resource, kind, attachments: resolved.map(({ attachment }) => attachment) };
    policies.set(locator, policy);
    for (const { sought, attachment } of resolved) attachmentIssue(policy, attachment, sought).forEach(report);
  }
  return policies;
}

/** The other way round: what is attached to each target. */
export function attachedTo(policies: Iterable<PolicyNode>): ReadonlyMap<TargetNode, readonly PolicyNode[]> {
  const attached = new Map<TargetNode, PolicyNode[]>();
  for (const policy of policies) {
    for (const { target } of policy.attachments) {
      if (target === undefined) continue;
      const there = attached.get(target);
      if (there === undefined) attached.set(target, [policy]);
      else if (there.at(-1) !== policy) there.push(policy); // A policy may name one target in two ways.
    }
  }
  return attached;
}

/** The targets of a policy; none when something is wrong with one of them. */
function declaredTargets(
  locator: string,
  policy: KubernetesObject,
  kind: AttachableKind,
  report: (issue: Issue) => void,
): readonly DeclaredTarget[] {
  return readSafely(locator, report, () => {
    const { refs, issues } = kind.targetRefs(policy);
    for (const issue of issues) report({ ...issue, resource: locator });
    return issues.some(({ severity }) => severity === 'error') ? [] : refs;
  });
}

function soughtRef(
  { group, kind, name, namespace, sectionName }: DeclaredTarget,
  isInNamespace: boolean,
  policy: KubernetesObject,
  policyKind: AttachableKind,
): ResourceRef {
  const inNamespace = namespace ?? (policyKind.scope === 'Cluster' ? undefined : namespaceOf(policy));
  return {
    group,
    kind,
    name,
    ...(isInNamespace && inNamespace !== undefined ? { namespace: inNamespace } : {}),
    ...(sectionName === undefined ? {} : { section: sectionName }),
  };
}

/** Why a policy must not reach a target, if it is outside the policy's namespace (T-09, P-13). */
function refusalOf(
  { group, kind, name, namespace }: ResourceRef,
  policy: KubernetesObject,
  { scope, crossNamespace }: AttachableKind,
): 'CrossNamespaceRefused' | 'ClusterScopeRefused' | undefined {
  if (scope === 'Cluster' || crossNamespace === 'allow') return undefined;
  const own = namespaceOf(policy);
  if (namespace !== undefined) return namespace === own ? undefined : 'CrossNamespaceRefused';
  return group === '' && kind === 'Namespace' && name === own ? undefined : 'ClusterScopeRefused';
}

/** What there is where a reference points to. */
interface Found {
  readonly refusal: ReturnType<typeof refusalOf>;
  readonly object: TargetNode | undefined;
  readonly target: TargetNode | undefined;
}

function attach(declared: DeclaredTarget, kind: AttachableKind, { refusal, object, target }: Found): Attachment {
  if (!kind.targets.some((supported) => mayMean(supported, declared)))
    return { declared, via: 'targetRef', outcome: 'UnsupportedTarget' };
  // Before anything else about the target: whether it exists is not for other namespaces to know (T-25).
  if (refusal !== undefined) return { declared, via: 'targetRef', outcome: refusal };
  if (target === undefined) {
    const isSectionMissing = declared.sectionName !== undefined && object !== undefined;
    return { declared, via: 'targetRef', outcome: isSectionMissing ? 'SectionNotFound' : 'TargetNotFound' };
  }
  const key = targetableKey(target.kind);
  if (!kind.targets.some((supported) => targetableKey(supported) === key)) {
    return { declared, via: 'targetRef', outcome: 'UnsupportedTarget' }; // A section, but of a sort that the policies cannot target.
  }
  return { declared, via: 'targetRef', outcome: 'Attached', target };
}

/** Kinds are matched exactly: a kind in another case is another kind, and is reported as such. */
function mayMean(target: Targetable, { group, kind, sectionName }: DeclaredTarget): boolean {
  const of = isSectionKind(target) ? target.of : target;
  return of.group === group && of.kind === kind && isSectionKind(target) === (sectionName !== undefined);
}
