export type {
  AdmissionRequest,
  AdmissionResponse,
  AdmissionReviewRequest,
  AdmissionReviewResponse,
} from './lib/admission-envelope.ts';
export type { ChangedField } from './lib/changed-fields.ts';
export {
  type EffectivePolicyEntry,
  type EffectivePolicyResource,
  type EffectiveTargetRef,
  effectivePolicyResources,
  type ObjectName,
} from './lib/effective-policy-resources.ts';
export { type EffectiveChange, type Impact, impact } from './lib/impact.ts';
export type { OutcomeChange } from './lib/impact-on.ts';
export { type StatusPlace, statusPlaces } from './lib/places.ts';
export {
  type ConditionSubject,
  type PlanStatusOptions,
  planStatus,
  type RefusedStatus,
  type StatusChanges,
  type StatusPlan,
} from './lib/plan-status.ts';
export { type AncestorReport, type PolicyReport, reportPolicies } from './lib/policy-report.ts';
export { type AdmissionReview, type AdmissionReviewOptions, reviewAdmission } from './lib/review-admission.ts';
export type { WrittenObject } from './lib/sent-writes.ts';
export { createStatusPlanner, StatusPlanner, type StatusPlannerOptions } from './lib/status-planner.ts';
export type { PatchOperation, StatusWrite } from './lib/status-write.ts';
export type { Views } from './lib/views.ts';
