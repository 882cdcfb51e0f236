export { celConditions } from './lib/cel-conditions.ts';
export { type CelExpression, celExpressions } from './lib/cel-expressions.ts';
export type { CelType, CelVariables } from './lib/fields.ts';
export type { CelOptions } from './lib/limits.ts';
