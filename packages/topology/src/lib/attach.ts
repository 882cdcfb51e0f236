import {
  formatLocator,
  groupKindOf,
  type Issue,
  type KubernetesObject,
  namespaceOf,
  type Scope,
} from '@policy-machinery/resource';
import type { DeclaredTarget } from '@policy-machinery/target-ref';
import { type AttachableKind, type Attachment, attachmentIssue, type PolicyNode } from './attachment.ts';
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
      const scope = kindIn(kinds.targets, declared)?.scope ?? 'Namespaced';
      const sought = soughtLocator(declared, scope, resource, kind);
      const found = targets.get(sought);
      const target = found === undefined || untargetable.has(found) ? undefined : found;
      const isForeign = scope === 'Namespaced' && kind.scope === 'Namespaced' && isForeignTo(resource, declared);
      const objectExists = targets.has(sought.split('#', 1)[0] as string);
      return { sought, attachment: attach(declared, kind, { isForeign, objectExists, target }) };
    });
    const policy = { locator, resource, kind, attachments: resolved.map(({ attachment }) => attachment) };
    policies.set(locator, policy);
    for (const { sought, attachment } of resolved) {
      const issue = attachmentIssue(policy, attachment, sought);
      if (issue !== undefined) report(issue);
    }
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

function soughtLocator(
  { group, kind, name, namespace, sectionName }: DeclaredTarget,
  scope: Scope,
  policy: KubernetesObject,
  policyKind: AttachableKind,
): string {
  const inNamespace = namespace ?? (policyKind.scope === 'Cluster' ? undefined : namespaceOf(policy));
  return formatLocator({
    group,
    kind,
    name,
    ...(scope === 'Cluster' || inNamespace === undefined ? {} : { namespace: inNamespace }),
    ...(sectionName === undefined ? {} : { section: sectionName }),
  });
}

function isForeignTo(policy: KubernetesObject, { namespace }: DeclaredTarget): boolean {
  return namespace !== undefined && namespace !== namespaceOf(policy);
}

/** What there is where a reference points to. */
interface Found {
  readonly isForeign: boolean;
  readonly objectExists: boolean;
  readonly target: TargetNode | undefined;
}

function attach(
  declared: DeclaredTarget,
  kind: AttachableKind,
  { isForeign, objectExists, target }: Found,
): Attachment {
  if (!kind.targets.some((supported) => mayMean(supported, declared)))
    return { declared, outcome: 'UnsupportedTarget' };
  // Before anything else about the target: whether it exists is not for other namespaces to know (T-25).
  if (isForeign && kind.crossNamespace === 'refuse') return { declared, outcome: 'CrossNamespaceRefused' };
  if (target === undefined) {
    return {
      declared,
      outcome: declared.sectionName !== undefined && objectExists ? 'SectionNotFound' : 'TargetNotFound',
    };
  }
  const key = targetableKey(target.kind);
  if (!kind.targets.some((supported) => targetableKey(supported) === key)) {
    return { declared, outcome: 'UnsupportedTarget' }; // A section, but of a sort that the policies cannot target.
  }
  return { declared, outcome: 'Attached', target };
}

/** Kinds are matched exactly: a kind in another case is another kind, and is reported as such. */
function mayMean(target: Targetable, { group, kind, sectionName }: DeclaredTarget): boolean {
  const of = isSectionKind(target) ? target.of : target;
  return of.group === group && of.kind === kind && isSectionKind(target) === (sectionName !== undefined);
}
