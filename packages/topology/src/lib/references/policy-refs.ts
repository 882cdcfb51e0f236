import { formatLocator, type Issue, namespaceOf } from '@policy-machinery/resource';
import type { Attachment } from '../model/policy-node.ts';
import { readSafely } from '../model/read-safely.ts';
import type { PolicyReference } from '../model/target-kind.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { SectionTarget, type Target } from '../targets/target.ts';
import type { Lookup } from './lookup.ts';

/** The policies that a target names, by locator, with the references. */
export type PolicyRefs = ReadonlyMap<string, readonly Attachment['declared'][]>;

/** The value for targets that name no policies. */
export const noPolicyRefs: PolicyRefs = new Map();

/**
 * Returns the policies that a target names, like HTTPRoute rules with ExtensionRef filters, and resources that bind policies to others.
 * References to kinds that are not policy kinds, or that are not attached in this way, are ignored.
 *
 * @param issues Takes the issues of the references.
 */
export function readPolicyRefs(target: Target, lookup: Lookup, issues: Issue[]): PolicyRefs {
  const references = policyRefsOf(target, issues);
  if (references.length === 0) return noPolicyRefs;
  const policyRefs = new Map<string, Attachment['declared'][]>();
  for (const reference of references) {
    const kind = lookup.kind(reference)?.policy;
    if (kind?.extensionRefs !== true) continue;
    const { group, name, pointer } = reference;
    const namespace: { readonly namespace?: string } =
      kind.scope === 'Cluster' ? {} : { namespace: namespaceOf(target.resource) };
    const policy = formatLocator({ group, kind: kind.kind, name, ...namespace });
    if (!lookup.hasPolicy(policy)) {
      const issue = missingPolicy(`${kind.kind} ${name}`, lookup.isComplete(kind, namespace.namespace, name));
      issues.push({ ...issue, resource: target.object.locator, pointer });
      continue;
    }
    const { section, ...ref } = target.ref;
    const declared = { ...ref, pointer, ...(section === undefined ? {} : { sectionName: section }) };
    getOrInsert(policyRefs, policy, (): Attachment['declared'][] => []).push(declared);
  }
  return policyRefs;
}

function missingPolicy(name: string, isComplete: boolean): Issue {
  if (isComplete) {
    const message = `names ${name}, which does not exist; create it or correct the reference`;
    return { code: 'missing-policy', severity: 'error', message };
  }
  const message = `names ${name}, which is not in this input; add it, or correct the reference`;
  return { code: 'not-in-input', severity: 'warning', message };
}

function policyRefsOf(target: Target, issues: Issue[]): readonly PolicyReference[] {
  return readSafely(target.locator, issues, () => {
    if (target instanceof SectionTarget) return [...target.kind.policyRefs(target.place, target.resource)];
    return [...target.object.kind.policyRefs(target.resource)];
  });
}
