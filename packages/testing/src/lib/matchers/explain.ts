import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import { formatIssue } from '@policy-machinery/resource';
import { formatEffectivePolicy } from '@policy-machinery/text';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import { targetableKey } from '@policy-machinery/topology/inner';

/** Returns the effective policies of a target, and the reasons, as text. */
export function explainTarget(effective: EffectivePolicies<unknown>, target: TargetNode): string {
  const advice = adviceOnSections(effective, target);
  const policies = effective.explain(target).effective.map(({ policy }) => policy);
  if (policies.length > 0) return [...advice, explainPolicies(policies)].join('\n');
  const { kind } = effective.kind;
  return [`No ${kind} reaches ${formatTarget(target)}.`, ...advice, ...issuesOf(effective)].join('\n');
}

/** Returns which sections of an object to name, if effective policies are of these and not of the whole object. */
function adviceOnSections({ kind }: EffectivePolicies<unknown>, target: TargetNode): readonly string[] {
  const keys = new Set(kind.effectiveTargets.map(targetableKey));
  if (keys.has(targetableKey(target.kind))) return [];
  const sections = target.sections.filter((section) => keys.has(targetableKey(section.kind))).map(formatTarget);
  return sections.length === 0
    ? []
    : [`Effective policies of ${kind.kind} are of sections; name ${sections.join(' or ')}.`];
}

/** Returns effective policies as text, field by field. */
export function explainPolicies(policies: readonly EffectivePolicy<unknown>[]): string {
  return policies.map((policy) => formatEffectivePolicy(policy)).join('\n');
}

/** Returns the issues of the policies of a kind, and of their targets. */
export function issuesOf({ topology, issues, policies }: EffectivePolicies<unknown>): readonly string[] {
  const ofAttachments = policies.flatMap(({ node }) => topology.issuesAbout(node.locator));
  return [...new Set([...issues, ...ofAttachments].map((issue) => formatIssue(issue)))];
}
