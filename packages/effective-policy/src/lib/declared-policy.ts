import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { type Issue, refOf } from '@policy-machinery/resource';
import type { Attachment, PolicyNode, TargetNode, Topology } from '@policy-machinery/topology';

/** A policy as the topology has it, and what was read in it. */
export interface DeclaredPolicy<Spec> {
  /** The policy and its attachments. */
  readonly node: PolicyNode;
  /** What it says; `undefined` when one of the issues is an error. */
  readonly policy: Policy<Spec> | undefined;
  readonly issues: readonly Issue[];
}

/** Reads a policy; what has been read earlier of the very same resource is taken from there. */
export function readPolicy<Spec>(
  node: PolicyNode,
  kind: PolicyKind<Spec>,
  earlier: DeclaredPolicy<Spec> | undefined,
): DeclaredPolicy<Spec> {
  const isSame = earlier !== undefined && earlier.node.resource === node.resource;
  const { policy, issues } = isSame ? earlier : kind.read(node.resource);
  return { node, policy, issues };
}

/** An attachment to a target that there is. */
export type CountingAttachment = Attachment & { readonly target: TargetNode };

/** The attachments of a policy that count for traffic from a namespace, or from elsewhere. */
export function countingAttachments<Spec>(
  { policy, node }: DeclaredPolicy<Spec>,
  trafficFrom: string | undefined,
): readonly CountingAttachment[] {
  if (policy === undefined || policy.layers.length === 0) return [];
  return node.attachments.filter(
    (it): it is CountingAttachment => it.target !== undefined && (it.consumerNamespace ?? trafficFrom) === trafficFrom,
  );
}

/**
 * Returns the object of a target that is missing because the object has no section of its name.
 *
 * @param topology The topology of the policy.
 * @param policy The policy.
 * @param attachment One of its attachments.
 * @returns The object; `undefined` where the outcome is not `SectionNotFound`. O(1).
 */
export function objectWithoutSection(
  topology: Topology,
  { resource, kind: { scope } }: PolicyNode,
  { outcome, declared }: Attachment,
): TargetNode | undefined {
  if (outcome !== 'SectionNotFound' || !('name' in declared)) return undefined;
  const { group, kind, name, namespace = refOf(resource, scope).namespace } = declared;
  const inNamespace = namespace === undefined ? undefined : topology.get({ group, kind, namespace, name });
  return inNamespace ?? topology.get({ group, kind, name });
}
