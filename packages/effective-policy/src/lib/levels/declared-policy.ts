import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { type Issue, refOf } from '@policy-machinery/resource';
import type { Attachment, PolicyNode, TargetNode, Topology } from '@policy-machinery/topology';
import { holdsNothing, type Judgement, type PolicyVerdict, type Verdicts, verdictFailed } from './verdict.ts';

/** A policy as the topology has it, and what was read in it. */
export interface DeclaredPolicy<Spec> {
  /** The policy and its attachments. */
  readonly node: PolicyNode;
  /** What it says; `undefined` when one of the issues is an error. */
  readonly policy: Policy<Spec> | undefined;
  readonly issues: readonly Issue[];
  /** What the controller has found of it: it holds nothing where these are about it. */
  readonly verdicts: readonly PolicyVerdict[];
}

const none: readonly never[] = [];
const unjudged: Judgement = { verdicts: none, issues: none };

/** Reads a policy; what has been read earlier of the very same resource is taken from there. */
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

/** An attachment to a target that there is. */
export type CountingAttachment = Attachment & { readonly target: TargetNode };

/** The attachments of a policy that count for traffic from a namespace, or from elsewhere. */
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
  { outcome, declared, object }: Attachment,
): TargetNode | undefined {
  if (object !== undefined) return object;
  if (outcome !== 'SectionNotFound' || !('name' in declared)) return undefined;
  const { group, kind, name, namespace = refOf(resource, scope).namespace } = declared;
  const inNamespace = namespace === undefined ? undefined : topology.get({ group, kind, namespace, name });
  return inNamespace ?? topology.get({ group, kind, name });
}
