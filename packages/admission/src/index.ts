export type {
  AdmissionRequest,
  AdmissionResponse,
  AdmissionReviewRequest,
  AdmissionReviewResponse,
} from './lib/answer/admission-envelope.ts';
export type {
  AdmissionAnswerOptions,
  AdmissionReview,
  AdmissionReviewLimits,
  AdmissionReviewOptions,
  Refusal,
  WarningSubject,
} from './lib/answer/admission-review.ts';
export { reviewAdmission } from './lib/answer/review-admission.ts';
export { type AdmissionPolicyOptions, admissionPolicies } from './lib/policies/admission-policies.ts';
export type { AdmissionPolicyManifests } from './lib/policies/admission-policy.ts';
export type { OverrideNamespaces } from './lib/policies/override-namespaces.ts';
export type { TargetAccess } from './lib/policies/target-access.ts';
export { Admission, type Sender } from './lib/review/admission.ts';
export type { AdmissionOptions, Refused } from './lib/review/admission-options.ts';
export { createAdmission } from './lib/review/create-admission.ts';
export * from './manifests.ts';
