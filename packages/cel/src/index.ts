export { celConditions } from './lib/cel-conditions.ts';
export type { CelOptions } from './lib/limits.ts';
