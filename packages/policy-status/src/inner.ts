export { impactBetween } from './lib/impact/impact.ts';
export type { RefusedStatus } from './lib/plan/status-plan.ts';
