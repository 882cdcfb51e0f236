export { type Compared, compare, liveViews } from './lib/impact/compared.ts';
export { impactBetween } from './lib/impact/impact.ts';
export { changedIn, type ImpactOnKind, impactOnKind } from './lib/impact/impact-on-kind.ts';
export { alteredTargets, fallbacks, lostFields, uncoveredTargets } from './lib/impact/lost-fields.ts';
export type { RefusedStatus } from './lib/plan/status-plan.ts';
export { combineOutcomes } from './lib/report/outcome.ts';
export { policyName } from './lib/report/policy-name.ts';
export { findingsIn, outcomeOf, summaryOf } from './lib/report/policy-report.ts';
