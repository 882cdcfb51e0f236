import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { type Issue, refOf } from '@policy-machinery/resource';
import type { Attachment, PolicyNode, TargetNode, Topology } from '@policy-machinery/topology';
import { none } from '../support/nothing.ts';
import { holdsNothing, type Judgement, type PolicyVerdict, type Verdicts, verdictFailed } from './verdict.ts';

/** A policy of the topology, with its layers and issues. */
export interface DeclaredPolicy<Spec> {
  /** The policy and its attachments. */
  readonly node: PolicyNode;
  /** The policy with its layers; `undefined` if one of the issues is an error. */
  readonly policy: Policy<Spec> | undefined;
  readonly issues: readonly Issue[];
  /** The verdicts of the controller. The policy is not in force where a verdict is about it. */
  readonly verdicts: readonly PolicyVerdict[];
}

const unjudged: Judgement = { verdicts: none, issues: none };

/** Reads a policy, or takes the earlier reading of the same resource. */
export function readPolicy<Spec>(
  node: PolicyNode,
  kind: PolicyKind<Spec>,
  judge: Verdicts,
  earlier: DeclaredPolicy<Spec> | undefined,
): DeclaredPolicy<Spec> {
  const isSame = earlier !== undefined && earlier.node.resource === node.resource;
  const { policy, issues } = isSame ? earlier : kind.read(node.resource);
  const { verdicts, issues: failures } = policy === undefined ? unjudged : judge.of(policy);
  const ofReading = isSame && issues.length > 0 ? issues.filter(({ code }) => code !== verdictFailed) : issues;
  return { node, policy, issues: failures.length === 0 ? ofReading : [...ofReading, ...failures], verdicts };
}

/** An attachment to an existing target. */
export type CountingAttachment = Attachment & { readonly target: TargetNode };

/** Returns the attachments of a policy that count for traffic from a namespace, or from elsewhere. */
export function countingAttachments<Spec>(
  declared: DeclaredPolicy<Spec>,
  trafficFrom: string | undefined,
): readonly CountingAttachment[] {
  const { policy, node } = declared;
  if (policy === undefined || policy.layers.length === 0 || holdsNothing(declared)) return [];
  return node.attachments.filter(
    (it): it is CountingAttachment => it.target !== undefined && (it.consumerNamespace ?? trafficFrom) === trafficFrom,
  );
}

/**
 * Returns the object of a target that is missing because the object does not have a section of its name.
 *
 * @param topology The topology of the policy.
 * @param attachment One of its attachments.
 * @returns The object; `undefined` if the outcome is not `SectionNotFound`. O(1).
 */
export function objectWithoutSection(
  topology: Topology,
  { resource, kind: { scope } }: PolicyNode,
  { outcome, declared, object }: Attachment,
): TargetNode | undefined {
  if (object !== undefined) return object;
  if (outcome !== 'SectionNotFound' || !('name' in declared)) return undefined;
  const { group, kind, name, namespace = refOf(resource, scope).namespace } = declared;
  const inNamespace = namespace === undefined ? undefined : topology.get({ group, kind, namespace, name });
  return inNamespace ?? topology.get({ group, kind, name });
}
