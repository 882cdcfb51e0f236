import {
  formatLocator,
  groupKindKey,
  groupKindOf,
  type Issue,
  type KubernetesObject,
  namespaceOf,
} from '@policy-machinery/resource';
import type { DeclaredTarget } from '@policy-machinery/target-ref';
import { type AttachableKind, type Attachment, attachmentIssue, type PolicyNode } from './attachment.ts';
import type { Kinds } from './build.ts';
import { isSectionKind, type Targetable } from './target-kind.ts';
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
    const kind = kinds.policies.get(groupKindKey(groupKindOf(resource)));
    if (kind === undefined) continue;
    const { refs, issues } = kind.targetRefs(resource);
    for (const issue of issues) report({ ...issue, resource: locator });
    const sound = issues.length === 0 ? refs : [];
    const resolved = sound.map((declared) => {
      const sought = soughtLocator(declared, resource, kind, kinds);
      return { sought, attachment: attach(declared, sought, resource, kind, targets, untargetable) };
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
      else there.push(policy);
    }
  }
  return attached;
}

function soughtLocator(
  { group, kind, name, namespace, sectionName }: DeclaredTarget,
  policy: KubernetesObject,
  policyKind: AttachableKind,
  kinds: Kinds,
): string {
  const clusterScoped = kinds.targets.get(groupKindKey({ group, kind }))?.scope === 'Cluster';
  const inNamespace = namespace ?? (policyKind.scope === 'Cluster' ? undefined : namespaceOf(policy));
  return formatLocator({
    group,
    kind,
    name,
    ...(clusterScoped || inNamespace === undefined ? {} : { namespace: inNamespace }),
    ...(sectionName === undefined ? {} : { section: sectionName }),
  });
}

function attach(
  declared: DeclaredTarget,
  sought: string,
  policy: KubernetesObject,
  kind: AttachableKind,
  targets: ReadonlyMap<string, TargetNode>,
  untargetable: ReadonlySet<TargetNode>,
): Attachment {
  if (!kind.targets.some((target) => accepts(target, declared))) return { declared, outcome: 'UnsupportedTarget' };
  const foreign = declared.namespace !== undefined && declared.namespace !== namespaceOf(policy);
  if (foreign && kind.scope !== 'Cluster' && kind.crossNamespace === 'refuse') {
    return { declared, outcome: 'CrossNamespaceRefused' };
  }
  const target = targets.get(sought);
  if (target !== undefined && !untargetable.has(target)) return { declared, outcome: 'Attached', target };
  const objectExists = declared.sectionName !== undefined && targets.has(sought.slice(0, sought.indexOf('#')));
  return { declared, outcome: objectExists ? 'SectionNotFound' : 'TargetNotFound' };
}

/** Kinds are matched exactly: a kind in another case is another kind, and is reported as such. */
function accepts(target: Targetable, { group, kind, sectionName }: DeclaredTarget): boolean {
  const of = isSectionKind(target) ? target.of : target;
  return of.group === group && of.kind === kind && isSectionKind(target) === (sectionName !== undefined);
}
