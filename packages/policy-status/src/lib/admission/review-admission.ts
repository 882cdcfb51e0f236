// admission/: answers of an admission webhook. Takes an object, or the request of an API server, and returns warnings and conflicts: whom the
// change harms, and what falls back to what. Names from other namespaces than the object's are counted, not named.

import type { EffectivePolicies, Trial } from '@policy-machinery/effective-policy';
import {
  groupKindKey,
  groupKindOf,
  type KubernetesObject,
  locatorOf,
  refOf,
  type Scope,
} from '@policy-machinery/resource';
import type { Topology, TopologyDelta } from '@policy-machinery/topology';
import type { EffectivePoliciesInput } from '../effective-policies-input.ts';
import { type Compared, compare, liveViews } from '../impact/compared.ts';
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
import { effectsOfDeletion, harmToMany, harmToOthers, type Subject } from './harm.ts';

type View = EffectivePolicies<unknown>;

/**
 * Returns the response to an admission request: refuses a policy that the request brings into conflict, and allows everything else, with
 * the warnings that the other form returns.
 *
 * @param effective The effective policies of one kind, or of several of the same topology: O(resources) for each request. Or a trial of these:
 * O(what the change touches).
 * @param request The request as the API server sends it, an `AdmissionReview` of `admission.k8s.io/v1`.
 * @param options How much is said of the change.
 * @returns The `AdmissionReview` to respond with. If the topology does not accept the object, a warning says so, because a webhook that
 * only advises must not fail the request.
 * @throws {PolicyMachineryError} `invalid-admission-review` for a review of another version, or without `request`.
 * @example
 * ```ts
 * const answer = reviewAdmission(effective, JSON.parse(body)); // The body of the webhook's response.
 * ```
 */
export function reviewAdmission(
  effective: EffectivePoliciesInput | Trial,
  request: AdmissionReviewRequest,
  options?: Pick<AdmissionReviewOptions, 'maxContexts'>,
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
 * @param effective The effective policies of one kind, or of several of the same topology: O(resources) for each request. Or a trial of these:
 * O(what the change touches).
 * @param object The object to create, change or delete.
 * @param options How the object changes, and how much is said of that.
 * @returns Warnings and conflicts.
 * @throws {PolicyMachineryError} What `Topology.apply` throws for the object.
 * @example
 * ```ts
 * const { warnings } = reviewAdmission(effective, policy, { operation: 'DELETE' });
 * ```
 */
export function reviewAdmission(
  effective: EffectivePoliciesInput | Trial,
  object: KubernetesObject,
  options?: AdmissionReviewOptions,
): AdmissionReview;
export function reviewAdmission(
  effective: EffectivePoliciesInput | Trial,
  given: KubernetesObject | AdmissionReviewRequest,
  { operation, maxContexts = 10_000 }: AdmissionReviewOptions = {},
): AdmissionReview | AdmissionReviewResponse {
  const review = (object: KubernetesObject, isDeleted: boolean): AdmissionReview =>
    compare(effective, isDeleted ? { remove: [object] } : { upsert: [object] }, (kinds, delta) => {
      const subjectOf = ({ before }: Compared) => subjectIn(before, object);
      const reviews = kinds.map((it) =>
        reviewOfKind(it, { object, isDeleted, delta, subject: subjectOf(it), maxContexts }),
      );
      return {
        warnings: worstFirst(reviews.flatMap(({ warnings }) => warnings)),
        conflicts: reviews.flatMap(({ conflicts }) => conflicts),
      };
    });
  if (!isReview(given)) return review(given, operation === 'DELETE');
  const isInConflictNow = (object: KubernetesObject) => liveViews(effective).some((view) => isInConflict(view, object));
  return answerReview(given, { review, isInConflict: isInConflictNow });
}

/** A change of one object. */
interface ReviewedChange extends Required<Pick<AdmissionReviewOptions, 'maxContexts'>> {
  readonly object: KubernetesObject;
  readonly isDeleted: boolean;
  readonly subject: Subject;
  readonly delta: TopologyDelta;
}

interface KindReview {
  readonly warnings: readonly Warning[];
  readonly conflicts: readonly string[];
}

/** Returns what a change means for the policies of one kind. */
function reviewOfKind(compared: Compared, change: ReviewedChange): KindReview {
  const { warnings, conflicts } = reviewOfPolicy(compared.after, change);
  return { warnings: [...warnings, ...harmIn(compared, change), ...effectsOn(compared.after, change)], conflicts };
}

/** Returns what a policy would not get. */
function reviewOfPolicy(after: View, { subject, isDeleted }: ReviewedChange): KindReview {
  const conflicts: string[] = [];
  const warnings: Warning[] = [];
  const reports = subject.policy === undefined || isDeleted ? [] : reportPolicies(after, new Set([subject.policy]));
  for (const { outcome, message, ancestors } of reports) {
    if (outcome === 'conflicted') conflicts.push(shortened(message));
    else if (outcome === 'partly-enforced') warnings.push({ weight: 'own-fields', message });
    else if (outcome !== 'enforced' && ancestors.length > 0) warnings.push({ weight: 'own-policy', message });
  }
  return { warnings, conflicts };
}

/** Returns what other policies would lose. */
function harmIn(compared: Compared, { delta, subject, isDeleted, maxContexts }: ReviewedChange): readonly Warning[] {
  if (!hasChanged(delta)) return [];
  if (touchesMore(compared, maxContexts)) return [harmToMany(compared.after.kind, maxContexts)];
  const change = impactOnKind(compared, delta);
  const isOfPolicy = isDeleted && subject.policy !== undefined;
  return [...harmToOthers(change, subject), ...(isOfPolicy ? effectsOfDeletion(change, subject) : [])];
}

/** Returns which policies affect the object. */
function effectsOn(after: View, { object }: ReviewedChange): readonly Warning[] {
  const target = targetOf(after.topology, object);
  if (target === undefined) return [];
  return after.affecting(target).policies.map(({ policy }) => ({
    weight: 'affects',
    message: `${after.kind.kind} ${policy.name} affects this ${target.ref.kind}.`,
  }));
}

/** Returns whether more contexts may differ than a number. O(that number). */
function touchesMore({ before, after, touched }: Compared, most: number): boolean {
  let count = 0;
  for (const target of touched?.targets ?? []) {
    count += Math.max(before.of(target).length, after.of(target).length, 1);
    if (count > most) return true;
  }
  return false;
}

function targetOf(topology: Topology, object: KubernetesObject) {
  return scopes.map((scope) => topology.get(refOf(object, scope))).find((node) => node?.resource === object);
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
