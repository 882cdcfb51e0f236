export { EffectivePolicies, type EffectivePoliciesOptions, effectivePolicies } from './lib/effective-policies.ts';
export { Context, type EffectiveField, EffectivePolicy } from './lib/effective-policy.ts';
export { describeRule, type PlacedLayer, type Rule } from './lib/layout.ts';
export type { Loss } from './lib/losses.ts';
export type { Level, LevelTurn } from './lib/stack.ts';
