import {
  type Admission,
  type AdmissionRequest,
  type AdmissionResponse,
  createAdmission,
} from '@policy-machinery/admission';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { type ObjectLike, plainObject } from '@policy-machinery/resource';
import type { KubernetesObject } from 'kubernetes-fluent-client';
import type { PeprValidateRequest } from 'pepr';

/** What a Pepr action answers. */
type Answer = ReturnType<PeprValidateRequest<KubernetesObject>['Approve']>;

/**
 * Returns a Pepr action that validates with effective policies: it warns of what a change would do, and refuses policies that conflict with others.
 *
 * @param views The effective policies, which follow the cluster.
 * @param isReady Whether all objects are known. Until then changes are allowed, with one warning.
 */
export function validateWith(
  views: EffectivePolicies<unknown>,
  isReady: () => boolean,
): <T extends KubernetesObject>(request: PeprValidateRequest<T>) => Promise<Answer> {
  // Pepr's webhook is reached through its own Service, by the API server and by Pods: no names of other namespaces.
  const admission = createAdmission({ views, isReady, refuse: 'conflicts' });
  return async (request) => answerTo(request, await review(admission, request.Request));
}

async function review(
  admission: Admission,
  { uid, operation, kind, name, namespace, object, oldObject }: PeprValidateRequest<KubernetesObject>['Request'],
): Promise<AdmissionResponse> {
  const request = {
    uid,
    operation: operation as AdmissionRequest['operation'],
    kind: { ...kind, version: kind.version ?? '' },
    name,
    namespace: namespace ?? '',
    object: plain(object),
    oldObject: plain(oldObject),
  };
  const { response } = await admission.review({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
  return response;
}

/** The API server leaves out the new object of a deletion, and the old one of a creation. */
function plain(object: ObjectLike | undefined | null) {
  return object && Object.keys(object).length > 0 ? plainObject(object) : null;
}

function answerTo<T extends KubernetesObject>(
  request: PeprValidateRequest<T>,
  { allowed, warnings = [], status }: AdmissionResponse,
): Answer {
  return allowed ? request.Approve([...warnings]) : request.Deny(status?.message, status?.code, [...warnings]);
}
