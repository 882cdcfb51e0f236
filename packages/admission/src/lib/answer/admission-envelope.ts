import { isJsonObject, type JsonObject, type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';
import type { Refusal } from './admission-review.ts';

/** The request of the API server to an admission webhook: an `AdmissionReview` of `admission.k8s.io/v1`. */
export interface AdmissionReviewRequest {
  readonly apiVersion: string;
  readonly kind: 'AdmissionReview';
  readonly request: AdmissionRequest;
}

/** The part of a request that decides the response. `dryRun` is left out, because a review does not have effects. */
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

const apiVersion = 'admission.k8s.io/v1';

/** Returns whether a value is an AdmissionReview, rather than a resource. */
export function isReview(value: KubernetesObject | AdmissionReviewRequest): value is AdmissionReviewRequest {
  try {
    return value.kind === 'AdmissionReview' && value.apiVersion.startsWith('admission.k8s.io/');
  } catch {
    return false; // It is not a resource either, which applying it reports.
  }
}

/**
 * Returns the response to a request, which refuses it if there is a conflict or a cause.
 *
 * @param conflicts Why a policy is refused that the request brings into conflict.
 * @param causes Why the request is refused otherwise.
 */
export function responseTo(
  { uid }: AdmissionRequest,
  warnings: readonly string[],
  conflicts: readonly string[] = [],
  causes: readonly Refusal[] = [],
): AdmissionReviewResponse {
  const message = [...conflicts, ...causes.map((cause) => cause.message)].join(' ');
  const details = causes.length === 0 ? {} : { details: { causes } };
  const allowed = conflicts.length + causes.length === 0;
  const response = {
    uid,
    allowed,
    ...(warnings.length === 0 ? {} : { warnings }),
    // No 409: clients try again where they read Conflict.
    ...(allowed ? {} : { status: { code: 403, reason: 'Forbidden', message, ...details } }),
  };
  return { apiVersion, kind: 'AdmissionReview', response };
}

/**
 * Returns the request in a review.
 *
 * @throws {PolicyMachineryError} `invalid-admission-review`.
 */
export function requestIn({ apiVersion: version, request }: AdmissionReviewRequest): AdmissionRequest {
  const refuse = (message: string): never => {
    throw new PolicyMachineryError('invalid-admission-review', message);
  };
  if (version !== apiVersion) {
    refuse(`The AdmissionReview is ${version}; set admissionReviewVersions of the webhook to ["v1"]`);
  }
  if (!isJsonObject(request) || typeof request.uid !== 'string') {
    refuse('The AdmissionReview lacks a request with a uid; pass the body of the request as the API server sends it');
  }
  return request;
}

/**
 * Returns the object of a request, with the name and namespace that the server has yet to fill in; `undefined` for a whole collection, and for
 * requests that change no object.
 */
export function objectOf(request: AdmissionRequest): KubernetesObject | undefined {
  const { operation, kind, name, namespace, object, oldObject, subResource } = request;
  if (operation === 'CONNECT' || subResource) return undefined;
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
