import { groupKindOf, type Issue, type KubernetesObject, refOf } from '@policy-machinery/resource';
import type { DeclaredTarget, DeclaredTargetSelector } from '@policy-machinery/target-ref';
import { attachByName } from './attach-by-name.ts';
import { attachBySelector } from './attach-by-selector.ts';
import type { AttachableKind, PolicyNode } from './attachment.ts';
import { attachmentIssue } from './attachment-issue.ts';
import { type KindIndex, kindIn } from './kinds.ts';
import { readSafely } from './links.ts';
import type { Lookup } from './lookup.ts';
import type { TargetNode } from './target-node.ts';

/** Attaches every policy to the targets that it declares. */
export function attachPolicies(
  resources: ReadonlyMap<string, KubernetesObject>,
  kinds: KindIndex<AttachableKind>,
  lookup: Lookup,
  untargetable: ReadonlySet<TargetNode>,
  report: (issue: Issue) => void,
): ReadonlyMap<string, PolicyNode> {
  const policies = new Map<string, PolicyNode>();
  for (const [locator, resource] of [...resources].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kind = kindIn(kinds, groupKindOf(resource));
    if (kind === undefined) continue;
    const ref = refOf(resource, kind.scope);
    const policy = { locator, ref, kind, lookup, met: new Set<TargetNode>(), report };
    const attachments = declarationsOf(locator, resource, kind, report).flatMap((declared) =>
      'name' in declared ? attachByName(declared, policy, untargetable) : attachBySelector(declared, policy),
    );
    policies.set(locator, { locator, resource, kind, attachments });
    for (const attachment of attachments) attachmentIssue(locator, attachment).forEach(report);
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

/** What a policy declares, names before selectors; nothing when something is wrong with any of it. */
function declarationsOf(
  locator: string,
  policy: KubernetesObject,
  kind: AttachableKind,
  report: (issue: Issue) => void,
): readonly (DeclaredTarget | DeclaredTargetSelector)[] {
  return readSafely(locator, report, () => {
    const named = kind.targetRefs(policy);
    const selecting = kind.targetSelectors?.(policy) ?? { selectors: [], issues: [] };
    const issues = [...named.issues, ...selecting.issues];
    for (const issue of issues) report({ ...issue, resource: locator });
    return issues.some(({ severity }) => severity === 'error') ? [] : [...named.refs, ...selecting.selectors];
  });
}
