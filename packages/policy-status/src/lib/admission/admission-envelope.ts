import { isJsonObject, type JsonObject, type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';
import type { AdmissionReview, FurtherReview, Refusal } from './admission-review.ts';
import { shortWarning, worstFirst } from './admission-warnings.ts';

/** The request of the API server to an admission webhook: an `AdmissionReview` of `admission.k8s.io/v1`. */
export interface AdmissionReviewRequest {
  readonly apiVersion: string;
  readonly kind: 'AdmissionReview';
  readonly request: AdmissionRequest;
}

/** The part of a request that the response depends on. `dryRun` makes no difference, because a review has no effects. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  /** Empty if the server has yet to make a name from `generateName`. */
  readonly name?: string;
  readonly namespace?: string;
  /** Such as `status`; requests for subresources are not reviewed. */
  readonly subResource?: string;
  /** The new object; `null` if it is deleted. */
  readonly object?: KubernetesObject | null;
  /** The existing object, if it is changed or deleted. */
  readonly oldObject?: KubernetesObject | null;
  readonly dryRun?: boolean;
}

/** The response of an admission webhook: an `AdmissionReview` of `admission.k8s.io/v1`. */
export interface AdmissionReviewResponse {
  readonly apiVersion: 'admission.k8s.io/v1';
  readonly kind: 'AdmissionReview';
  readonly response: AdmissionResponse;
}

/** The response to one request. */
export interface AdmissionResponse {
  /** The `uid` of the request. */
  readonly uid: string;
  readonly allowed: boolean;
  /** The warnings; absent if there are none. */
  readonly warnings?: readonly string[];
  /** Why the request is refused. */
  readonly status?: {
    readonly code: number;
    readonly reason: string;
    readonly message: string;
    /** The causes other than conflicts; absent if there are none. */
    readonly details?: { readonly causes: readonly Refusal[] };
  };
}

/** The reviews of a request's object. */
interface Reviewer {
  readonly review: (object: KubernetesObject, isDeleted: boolean) => AdmissionReview;
  /** Returns whether a policy is in conflict before the request. */
  readonly isInConflict: (object: KubernetesObject) => boolean;
  /** Whether conflicts are refused. */
  readonly refuses: boolean;
  /** Whether there are warnings about conflicts that are not refused. */
  readonly warnsOfConflicts: boolean;
  /** Returns what else there is to say about the object. */
  readonly further: (object: KubernetesObject, isDeleted: boolean) => FurtherReview;
}

/** Advice for the owner of a refused policy. */
const advice = 'Name another target, or change the other policy in place of this one.';

const apiVersion = 'admission.k8s.io/v1';

/** Returns whether a value is an AdmissionReview, rather than a resource. */
export function isReview(value: KubernetesObject | AdmissionReviewRequest): value is AdmissionReviewRequest {
  try {
    return value.kind === 'AdmissionReview' && value.apiVersion.startsWith('admission.k8s.io/');
  } catch {
    return false; // It is no resource either, which applying it reports.
  }
}

/**
 * Returns the response to a request.
 *
 * A policy is refused only for a conflict that the request causes: an update of a policy that is already in conflict, such as the removal
 * of a finalizer, is allowed.
 *
 * @throws {PolicyMachineryError} `invalid-admission-review`.
 */
export function answerReview(review: AdmissionReviewRequest, reviewer: Reviewer): AdmissionReviewResponse {
  const { uid, operation, subResource } = requestIn(review);
  const answer = (response: Omit<AdmissionResponse, 'uid'>): AdmissionReviewResponse => ({
    apiVersion,
    kind: 'AdmissionReview',
    response: { uid, ...response },
  });
  const object = objectOf(review.request);
  if (object === undefined || operation === 'CONNECT' || subResource) return answer({ allowed: true });
  const isDeleted = operation === 'DELETE';
  const { warnings, conflicts, further } = reviewed(object, isDeleted, reviewer);
  const isConflict = reviewer.refuses && conflicts.length > 0 && !reviewer.isInConflict(object);
  const causes = further.refusals;
  const refusals = [...(isConflict ? [...conflicts, advice] : []), ...causes.map(({ message }) => message)];
  const status = { code: 403, reason: 'Forbidden', message: refusals.join(' ') };
  const told = worstFirst([
    ...further.warnings.map((message) => ({ weight: 'further', message }) as const),
    ...(reviewer.warnsOfConflicts && !isConflict ? conflicts : []).map(
      (message) => ({ weight: 'own-policy', message }) as const,
    ),
    ...warnings.map((message) => ({ weight: 'others-all', message }) as const),
  ]);
  return answer({
    allowed: refusals.length === 0,
    ...(told.length === 0 ? {} : { warnings: told }),
    // No 409: clients try again where they read Conflict.
    ...(refusals.length === 0 ? {} : { status: causes.length === 0 ? status : { ...status, details: { causes } } }),
  });
}

/** Returns the review of the object; if the object cannot be applied, a warning with the reason. */
function reviewed(
  object: KubernetesObject,
  isDeleted: boolean,
  { review, further }: Reviewer,
): AdmissionReview & { readonly further: FurtherReview } {
  try {
    return { ...review(object, isDeleted), further: further(object, isDeleted) };
  } catch (error) {
    if (!(error instanceof PolicyMachineryError)) throw error;
    const warning = shortWarning(`This change was not reviewed: ${error.message}`);
    return { warnings: [warning], conflicts: [], further: { warnings: [], refusals: [] } };
  }
}

function requestIn({ apiVersion: version, request }: AdmissionReviewRequest): AdmissionRequest {
  const refuse = (message: string): never => {
    throw new PolicyMachineryError('invalid-admission-review', message);
  };
  if (version !== apiVersion) {
    refuse(`The AdmissionReview is ${version}; set admissionReviewVersions of the webhook to ["v1"]`);
  }
  if (!isJsonObject(request) || typeof request.uid !== 'string') {
    refuse('The AdmissionReview has no request with a uid; pass the body of the request as the API server sends it');
  }
  return request;
}

/** Returns the object of a request, with the name and namespace that the server has yet to fill in; `undefined` for a whole collection. */
function objectOf({
  operation,
  kind,
  name,
  namespace,
  object,
  oldObject,
}: AdmissionRequest): KubernetesObject | undefined {
  const isDeleted = operation === 'DELETE';
  const given = (isDeleted ? oldObject : object) ?? (isDeleted && name ? named(kind) : undefined);
  if (!isJsonObject(given)) return undefined;
  const metadata = isJsonObject(given.metadata) ? given.metadata : {};
  const { generateName } = metadata;
  const its = metadata.name || name || (typeof generateName === 'string' ? `${generateName}generated` : undefined);
  const where = metadata.namespace || namespace;
  const filled = { ...(its ? { name: its } : {}), ...(where ? { namespace: where } : {}) };
  return { ...given, metadata: { ...metadata, ...filled } } as unknown as KubernetesObject;
}

function named({ group, version, kind }: AdmissionRequest['kind']): JsonObject {
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind };
}
