// admission/: answers of an admission webhook. Takes an object, or the request of an API server, and returns warnings and conflicts: whom the
// change harms, and what falls back to what. Names from other namespaces than the object's are counted, not named.

import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import {
  groupKindKey,
  groupKindOf,
  type KubernetesObject,
  locatorOf,
  refOf,
  type Scope,
} from '@policy-machinery/resource';
import type { TopologyDelta } from '@policy-machinery/topology';
import { type EffectivePoliciesInput, topologyOf, viewsIn } from '../effective-policies-input.ts';
import { impactOnKind } from '../impact/impact-on-kind.ts';
import { reportPolicies } from '../report/policy-report.ts';
import {
  type AdmissionReviewRequest,
  type AdmissionReviewResponse,
  answerReview,
  isReview,
} from './admission-envelope.ts';
import type { AdmissionReview, AdmissionReviewOptions } from './admission-review.ts';
import { shortened, type Warning, worstFirst } from './admission-warnings.ts';
import { effectsOfDeletion, harmToOthers, type Subject } from './harm.ts';

type View = EffectivePolicies<unknown>;

/**
 * Returns the response to an admission request: refuses a policy that the request brings into conflict, and allows everything else, with
 * the warnings that the other form returns.
 *
 * @param effective The effective policies of one kind, or of several of the same topology.
 * @param request The request as the API server sends it, an `AdmissionReview` of `admission.k8s.io/v1`.
 * @returns The `AdmissionReview` to respond with. If the topology does not accept the object, a warning says so, because a webhook that
 * only advises must not fail the request.
 * @throws {PolicyMachineryError} `invalid-admission-review` for a review of another version, or without `request`.
 * @example
 * ```ts
 * const answer = reviewAdmission(effective, JSON.parse(body)); // The body of the webhook's response.
 * ```
 */
export function reviewAdmission(
  effective: EffectivePoliciesInput,
  request: AdmissionReviewRequest,
): AdmissionReviewResponse;
/**
 * Returns what applying or deleting an object would mean, for a validating admission webhook. The topology stays unchanged.
 *
 * Warnings list the policies that the change harms, which lose fields, their target or all effect, with the number of scopes; targets that
 * are left without a policy; and what the fields of a deleted policy fall back to. Harmed policies in other namespaces than the object's
 * are counted, not named.
 *
 * Concurrent requests do not see each other, so statuses still have to report conflicts.
 *
 * @param effective The effective policies of one kind, or of several of the same topology.
 * @param object The object to create, change or delete.
 * @param options How the object changes.
 * @returns Warnings and conflicts.
 * @throws {PolicyMachineryError} What `Topology.apply` throws for the object.
 * @example
 * ```ts
 * const { warnings } = reviewAdmission(effective, policy, { operation: 'DELETE' });
 * ```
 */
export function reviewAdmission(
  effective: EffectivePoliciesInput,
  object: KubernetesObject,
  options?: AdmissionReviewOptions,
): AdmissionReview;
export function reviewAdmission(
  effective: EffectivePoliciesInput,
  given: KubernetesObject | AdmissionReviewRequest,
  { operation }: AdmissionReviewOptions = {},
): AdmissionReview | AdmissionReviewResponse {
  const views = viewsIn(effective);
  if (!isReview(given)) return reviewObject(views, given, operation === 'DELETE');
  return answerReview(given, {
    review: (object, isDeleted) => reviewObject(views, object, isDeleted),
    isInConflict: (object) => views.some((view) => isInConflict(view, object)),
  });
}

function reviewObject(views: readonly View[], object: KubernetesObject, isDeleted: boolean): AdmissionReview {
  const { topology, delta } = topologyOf(views).with(isDeleted ? { remove: [object] } : { upsert: [object] });
  const conflicts: string[] = [];
  const warnings: Warning[] = [];
  for (const before of views) {
    const { kind } = before;
    const after = before.in(topology);
    const subject = subjectIn(before, object);
    if (subject.policy !== undefined && !isDeleted) {
      for (const { outcome, message, ancestors } of reportPolicies(after, new Set([subject.policy]))) {
        if (outcome === 'conflicted') conflicts.push(shortened(message));
        else if (outcome === 'partly-enforced') warnings.push({ weight: 'own-fields', message });
        else if (outcome !== 'enforced' && ancestors.length > 0) warnings.push({ weight: 'own-policy', message });
      }
    }
    if (hasChanged(delta)) {
      const change = impactOnKind(before, after, delta);
      warnings.push(...harmToOthers(change, subject));
      if (isDeleted && subject.policy !== undefined) warnings.push(...effectsOfDeletion(change, subject));
    }
    const target = scopes.map((scope) => topology.get(refOf(object, scope))).find((node) => node?.resource === object);
    if (target === undefined) continue;
    for (const policy of after.explain(target).policies) {
      warnings.push({ weight: 'affects', message: `${kind.kind} ${policy.name} affects this ${target.ref.kind}.` });
    }
  }
  return { warnings: worstFirst(warnings), conflicts };
}

function subjectIn({ kind }: View, object: KubernetesObject): Subject {
  const isPolicy = groupKindKey(groupKindOf(object)) === groupKindKey(kind);
  if (!isPolicy) return { policy: undefined, namespace: object.metadata.namespace };
  return { policy: locatorOf(object, kind.scope), namespace: refOf(object, kind.scope).namespace };
}

/** Returns whether a policy is in conflict now. */
function isInConflict(view: View, object: KubernetesObject): boolean {
  const { policy } = subjectIn(view, object);
  if (policy === undefined) return false;
  return reportPolicies(view, new Set([policy])).some(({ outcome }) => outcome === 'conflicted');
}

function hasChanged({ added, removed, changed }: TopologyDelta): boolean {
  return added.length + removed.length + changed.length > 0;
}

const scopes: readonly Scope[] = ['Namespaced', 'Cluster'];
