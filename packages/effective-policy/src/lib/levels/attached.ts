import type { Policy } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import type { CountingAttachment, DeclaredPolicy } from './declared-policy.ts';

/** How policies are attached, the less specific way first. Each makes a level. */
export const ways = ['targetRef', 'policyRef'] as const;
type Way = (typeof ways)[number];
/** The policies that are attached to one target, in each way. */
export type Attached<Spec> = Record<Way, Policy<Spec>[] | undefined>;

export function byTargets(
  attachments: readonly CountingAttachment[],
): ReadonlyMap<TargetNode, readonly CountingAttachment[]> {
  const byTarget = new Map<TargetNode, CountingAttachment[]>();
  for (const attachment of attachments) {
    const attachments = byTarget.get(attachment.target);
    if (attachments === undefined) byTarget.set(attachment.target, [attachment]);
    else attachments.push(attachment);
  }
  return byTarget;
}

export function attach<Spec>(
  attachments: readonly CountingAttachment[],
  declared: DeclaredPolicy<Spec>,
  attached: Map<TargetNode, Attached<Spec>>,
): void {
  for (const { target, via } of attachments) {
    const policy = declared.policy as Policy<Spec>;
    const way = via === 'policyRef' ? via : 'targetRef'; // Policies that name a target and those that select it share a level.
    const parts = attached.get(target) ?? { targetRef: undefined, policyRef: undefined };
    attached.set(target, parts);
    const policies = parts[way];
    if (policies === undefined) parts[way] = [policy];
    else if (policies.at(-1) !== policy) policies.push(policy); // The attachments of one policy follow each other.
  }
}
