// answer/: answers of an admission webhook. Takes an object, or the request of an API server, and returns warnings and conflicts: the
// policies that the change harms, the number of targets that it alters, and the values that replace a deleted policy. Policies and targets in
// other namespaces than the object's are counted, not named, unless the caller asks for their names.

import type { EffectivePolicies, Trial } from '@policy-machinery/effective-policy';
import type { Policy } from '@policy-machinery/policy-kind';
import { type EffectivePoliciesInput, reportPolicies } from '@policy-machinery/policy-status';
import {
  type Compared,
  changedIn,
  compare,
  findingsIn,
  impactOnKind,
  liveViews,
  summaryOf,
} from '@policy-machinery/policy-status/inner';
import {
  groupKindKey,
  groupKindOf,
  type KubernetesObject,
  locatorOf,
  PolicyMachineryError,
  type ResourceScope,
  refOf,
} from '@policy-machinery/resource';
import type { Topology, TopologyChange, TopologyDelta } from '@policy-machinery/topology';
import {
  type AdmissionReviewRequest,
  type AdmissionReviewResponse,
  isReview,
  objectOf,
  requestIn,
  responseTo,
} from './admission-envelope.ts';
import type {
  AdmissionAnswerOptions,
  AdmissionReview,
  AdmissionReviewLimits,
  AdmissionReviewOptions,
  FurtherReview,
  WarningSubject,
} from './admission-review.ts';
import { shortWarning, type Warning, warningsAbout, worstFirst } from './admission-warnings.ts';
import { alteredWarning, effectsOfDeletion, harmToMany, harmToOthers, isNamed, type Subject } from './harm.ts';
import { shortMessage } from './short-message.ts';

type View = EffectivePolicies<unknown>;

/**
 * Returns the response to an admission request: refuses a policy that the request brings into conflict, unless `refuse` says otherwise, and
 * allows everything else, with the warnings that the other form returns.
 *
 * @param effective The effective policies of one kind, or of several of the same topology: O(resources) for each request. Or a trial of these:
 * Cost: O(affected targets).
 * @param request The request as the API server sends it, an `AdmissionReview` of `admission.k8s.io/v1`.
 * @param options The changes to refuse, and the contents of the review.
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
  options?: AdmissionAnswerOptions,
): AdmissionReviewResponse;
/**
 * Returns the effects of applying or deleting an object, for a validating admission webhook. The topology stays unchanged.
 *
 * Warnings list the policies that the change harms, which lose fields, their target or all effect, with the number of scopes; targets that are
 * left without a policy; the number of targets with different effective policies, if there are many; and the values that replace the fields of
 * a deleted policy. Policies and targets in other namespaces than the object's are counted, not named, unless `names` says otherwise.
 *
 * Concurrent requests do not see each other, so statuses still have to report conflicts.
 *
 * @param effective The effective policies of one kind, or of several of the same topology: O(resources) for each request. Or a trial of these:
 * Cost: O(affected targets).
 * @param object The object to create, change or delete.
 * @param options How the object changes, and the contents of the review.
 * @returns Warnings and conflicts.
 * @throws {PolicyMachineryError} The errors of `Topology.apply` for the object.
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
  options: AdmissionReviewOptions & AdmissionAnswerOptions = {},
): AdmissionReview | AdmissionReviewResponse {
  if (isReview(given)) return answerTo(given, effective, options);
  return reviewOf(given, options.operation === 'DELETE', effective, options);
}

/**
 * Returns the response to a request. A policy is refused only for a conflict that the request causes: an update of a policy that is already in
 * conflict, such as the removal of a finalizer, is allowed.
 *
 * @param further Returns further warnings and refusals for a change of an object, such as the guarantees that it breaks.
 */
export function answerTo(
  review: AdmissionReviewRequest,
  effective: EffectivePoliciesInput | Trial,
  { refuse = 'conflicts', ...limits }: AdmissionAnswerOptions,
  further?: (object: KubernetesObject, change: TopologyChange) => FurtherReview,
): AdmissionReviewResponse {
  const request = requestIn(review);
  const object = objectOf(request);
  if (object === undefined) return responseTo(request, []);
  const isDeleted = request.operation === 'DELETE';
  try {
    const { warnings, conflicts } = reviewOf(object, isDeleted, effective, limits);
    const more = further?.(object, changeTo(object, isDeleted)) ?? { warnings: [], refusals: [] };
    const isInConflictNow = () => liveViews(effective).some((view) => isInConflict(view, object));
    const isRefused = refuse === 'conflicts' && conflicts.length > 0 && !isInConflictNow();
    const { warn = subjects } = limits;
    const reportedWarnings = worstFirst([
      ...more.warnings.map((message): Warning => ({ weight: 'further', message })),
      ...(isRefused || !warn.includes('overridden') ? [] : conflicts).map(
        (message): Warning => ({ weight: 'own-policy', message }),
      ),
      ...warnings.map((message): Warning => ({ weight: 'others-all', message })),
    ]);
    return responseTo(request, reportedWarnings, isRefused ? [...conflicts, advice] : [], more.refusals);
  } catch (error) {
    if (!(error instanceof PolicyMachineryError)) throw error;
    return responseTo(request, [shortWarning(`This change was not reviewed: ${reasonFor(error, limits)}`)]);
  }
}

/** Returns why the topology refuses a change. An error about a cycle names all its objects, which may be in any namespace. */
function reasonFor({ code, message }: PolicyMachineryError, { names }: AdmissionReviewLimits): string {
  return code === 'cycle' && names !== 'all' ? 'its references would form a cycle.' : message;
}

/** Advice for the owner of a refused policy. */
const advice = 'Name another target, or change the other policy in place of this one.';

function reviewOf(
  object: KubernetesObject,
  isDeleted: boolean,
  effective: EffectivePoliciesInput | Trial,
  { warn = subjects, names, maxContexts = 10_000, manyTargets = 10 }: AdmissionReviewLimits,
): AdmissionReview {
  const about = new Set(warn);
  return compare(effective, changeTo(object, isDeleted), (kinds, delta) => {
    const reviews = kinds.map((compared) => {
      const change = {
        object,
        isDeleted,
        delta,
        about,
        maxContexts,
        manyTargets,
        subject: subjectIn(compared.before, object, names),
      };
      const { warnings, conflicts } = reviewOfPolicy(compared.after, change);
      return { warnings: [...warnings, ...harmIn(compared, change), ...effectsOn(compared.after, change)], conflicts };
    });
    return {
      warnings: worstFirst(reviews.flatMap(({ warnings }) => warningsAbout(warnings, about))),
      conflicts: reviews.flatMap(({ conflicts }) => conflicts),
    };
  });
}

function changeTo(object: KubernetesObject, isDeleted: boolean): TopologyChange {
  return isDeleted ? { remove: [object] } : { upsert: [object] };
}

interface ReviewedChange extends Required<Pick<AdmissionReviewOptions, 'maxContexts' | 'manyTargets'>> {
  /** The subjects to warn of. Others are not computed. */
  readonly about: ReadonlySet<WarningSubject>;
  readonly object: KubernetesObject;
  readonly isDeleted: boolean;
  readonly subject: Subject;
  readonly delta: TopologyDelta;
}

function reviewOfPolicy(
  viewAfter: View,
  { subject, isDeleted }: ReviewedChange,
): { readonly warnings: readonly Warning[]; readonly conflicts: readonly string[] } {
  const declared = subject.policy === undefined || isDeleted ? undefined : viewAfter.policy(subject.policy);
  if (declared === undefined) return { warnings: [], conflicts: [] };
  const findings = findingsIn(viewAfter, new Set())(declared);
  const { outcome, message } = summaryOf(findings, nameFor(subject, viewAfter));
  if (outcome === 'conflicted') return { warnings: [], conflicts: [shortMessage(message, maxConflict)] };
  if (outcome === 'partly-enforced') return { warnings: [{ weight: 'own-fields', message }], conflicts: [] };
  const isOurs = outcome !== 'enforced' && findings.some(({ ancestors }) => ancestors.length > 0);
  return { warnings: isOurs ? [{ weight: 'own-policy', message }] : [], conflicts: [] };
}

/** Returns how a message names other policies. */
function nameFor(subject: Subject, { kind }: View): (policy: Pick<Policy<unknown>, 'name' | 'resource'>) => string {
  return ({ name, resource }) =>
    isNamed(refOf(resource, kind.scope).namespace, subject) ? name : 'A policy in another namespace';
}

/** Returns the losses of other policies. */
function harmIn(compared: Compared, reviewed: ReviewedChange): readonly Warning[] {
  const { about, delta, subject, isDeleted, maxContexts, manyTargets } = reviewed;
  if (!about.has('impact') || !hasChanged(delta)) return [];
  if (touchesMore(compared, maxContexts)) return [harmToMany(compared.after.kind, maxContexts)];
  const change = impactOnKind(compared, changedIn(delta));
  const isOfPolicy = isDeleted && subject.policy !== undefined;
  const toOthers = [...harmToOthers(change, subject), ...alteredWarning(change, subject, manyTargets)];
  return [...toOthers, ...(isOfPolicy ? effectsOfDeletion(change, subject) : [])];
}

/** Returns which policies affect the object. */
function effectsOn(viewAfter: View, { about, object, subject }: ReviewedChange): readonly Warning[] {
  const target = about.has('affected') ? targetOf(viewAfter.topology, object) : undefined;
  if (target === undefined) return [];
  const { kind } = viewAfter.kind;
  return viewAfter.affecting(target).policies.map(({ policy }) => {
    const isVisible = isNamed(refOf(policy.resource, viewAfter.kind.scope).namespace, subject);
    const who = isVisible ? `${kind} ${policy.name}` : `A ${kind} in another namespace`;
    return { weight: 'affects', message: `${who} affects this ${target.ref.kind}.` };
  });
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

function subjectIn({ kind }: View, object: KubernetesObject, names?: AdmissionReviewLimits['names']): Subject {
  const isPolicy = groupKindKey(groupKindOf(object)) === groupKindKey(kind);
  const namesAll = names === 'all';
  if (!isPolicy) return { policy: undefined, namespace: object.metadata.namespace, namesAll };
  return { policy: locatorOf(object, kind.scope), namespace: refOf(object, kind.scope).namespace, namesAll };
}

/** Returns whether a policy is in conflict now. */
function isInConflict(view: View, object: KubernetesObject): boolean {
  const { policy } = subjectIn(view, object);
  if (policy === undefined) return false;
  return reportPolicies(view, { policies: new Set([policy]) }).some(({ outcome }) => outcome === 'conflicted');
}

function hasChanged({ added, removed, changed }: TopologyDelta): boolean {
  return added.length + removed.length + changed.length > 0;
}

/** The number of characters in the reason for a refusal. */
const maxConflict = 256;

const subjects: readonly WarningSubject[] = ['overridden', 'impact', 'affected'];

const scopes: readonly ResourceScope[] = ['Namespaced', 'Cluster'];
