export type { RefusedStatus } from './lib/plan/status-plan.ts';
