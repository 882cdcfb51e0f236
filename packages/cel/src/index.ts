export { celConditions } from './lib/cel-conditions.ts';
export { type CelExpression, celExpressions } from './lib/cel-expressions.ts';
export type { CelAnswer } from './lib/evaluator.ts';
export type { CelType, CelVariables } from './lib/fields.ts';
export type { CelOptions } from './lib/limits.ts';
export type { CelPart, CelTest, CelTested, CelTestedVariables } from './lib/tested-parts.ts';
