export type { EffectivePoliciesInput } from './lib/effective-policies-input.ts';
export type { PatchOperation } from './lib/json-patch.ts';
export type {
  ConditionSubject,
  PlanSliceOptions,
  PlanStatusOptions,
  StatusPlannerOptions,
} from './lib/plan/plan-options.ts';
export { planStatus } from './lib/plan/plan-status.ts';
export type { StatusChanges } from './lib/plan/scope.ts';
export type { WrittenObject } from './lib/plan/sent-writes.ts';
export type { StatusPlan, StatusPlanSlice } from './lib/plan/status-plan.ts';
export { createStatusPlanner, StatusPlanner } from './lib/plan/status-planner.ts';
export {
  type EffectivePolicyEntry,
  type EffectivePolicyResource,
  type EffectiveTargetRef,
  effectivePolicyResources,
  type ObjectName,
} from './lib/report/effective-policy-resources.ts';
export {
  type AncestorReport,
  type PolicyReport,
  reportPolicies,
} from './lib/report/policy-report.ts';
export { type StatusLocation, statusLocations } from './lib/status/status-locations.ts';
export {
  type StatusWrite,
  type WritePrecondition,
  type WriteUrgency,
  writeUrgencies,
} from './lib/status/status-write.ts';
