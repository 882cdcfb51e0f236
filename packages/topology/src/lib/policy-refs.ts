import { formatLocator, type Issue, namespaceOf, refOf } from '@policy-machinery/resource';
import type { Attachment, PolicyNode } from './attachment.ts';
import { type Kinds, kindIn } from './kinds.ts';
import { readSafely } from './links.ts';
import { settle } from './settle.ts';
import { isSectionKind, type PolicyReference } from './target-kind.ts';
import type { TargetNode } from './target-node.ts';

/**
 * Attaches the policies that targets name themselves, as HTTPRoute rules do with ExtensionRef filters (G-03), and resources
 * that bind policies to others. References to kinds that are no policy kinds, or that are not attached in this way, are
 * somebody else's.
 *
 * @returns The policies, with these attachments behind those that they declare.
 */
export function attachNamedPolicies(
  policies: ReadonlyMap<string, PolicyNode>,
  kinds: Kinds,
  targets: ReadonlyMap<string, TargetNode>,
  indexes: ReadonlyMap<TargetNode, number>,
  report: (issue: Issue) => void,
): ReadonlyMap<string, PolicyNode> {
  const named = new Map<string, Attachment[]>();
  for (const target of targets.values()) {
    for (const reference of policyRefsOf(target, indexes, report)) {
      const kind = kindIn(kinds.policies, reference);
      if (kind?.extensionRefs !== true) continue;
      const { group, name, pointer } = reference;
      const namespace = kind.scope === 'Cluster' ? {} : { namespace: namespaceOf(target.resource) };
      const locator = formatLocator({ group, kind: kind.kind, name, ...namespace });
      const policy = policies.get(locator);
      if (policy === undefined) {
        const message = `names ${kind.kind} ${name}, which does not exist; create it or correct the reference`;
        report({ code: 'missing-policy', severity: 'error', message, resource: target.object.locator, pointer });
        continue;
      }
      const { section, ...ref } = target.ref;
      const declared = { ...ref, pointer, ...(section === undefined ? {} : { sectionName: section }) };
      const attachments = named.get(locator) ?? [];
      named.set(locator, attachments);
      const policyRef = refOf(policy.resource, kind.scope);
      attachments.push(settle({ declared, via: 'policyRef' }, target, { locator, ref: policyRef, kind, report }));
    }
  }
  return new Map(
    [...policies].map(([locator, policy]) => {
      const attachments = [...policy.attachments, ...(named.get(locator) ?? [])];
      return [locator, named.has(locator) ? { ...policy, attachments } : policy];
    }),
  );
}

function policyRefsOf(
  target: TargetNode,
  indexes: ReadonlyMap<TargetNode, number>,
  report: (issue: Issue) => void,
): readonly PolicyReference[] {
  const { kind, locator, section, resource } = target;
  return readSafely(locator, report, () => {
    if (!isSectionKind(kind)) return [...kind.policyRefs(resource)];
    const place = { index: indexes.get(target) ?? 0, value: section?.value ?? {} };
    return [...kind.policyRefs(place, resource)];
  });
}
