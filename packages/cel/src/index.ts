export { type Condition, type ConditionResult, type Conditions, celConditions } from './lib/cel-conditions.ts';
export type { CelOptions } from './lib/limits.ts';
