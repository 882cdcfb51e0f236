import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import { formatIssue } from '@policy-machinery/resource';
import { formatEffectivePolicy } from '@policy-machinery/text';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';

/** Returns as text what applies to a target, and why. */
export function explainTarget(effective: EffectivePolicies<unknown>, target: TargetNode): string {
  const policies = effective.explain(target).effective.map(({ policy }) => policy);
  if (policies.length > 0) return explainPolicies(policies);
  const { kind } = effective.kind;
  const issues = issuesOf(effective);
  return [`No ${kind} reaches ${formatTarget(target)}.`, ...issues].join('\n');
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
