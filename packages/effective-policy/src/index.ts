export { EffectivePolicies, type EffectivePoliciesOptions, effectivePolicies } from './lib/effective-policies.ts';
export { Context, EffectivePolicy } from './lib/effective-policy.ts';
export type { EffectiveField } from './lib/fields.ts';
export type { PlacedLayer } from './lib/layout.ts';
export type { Level, LevelTurn, RejectedLayer } from './lib/level.ts';
export type { FieldLoss, Loss } from './lib/losses.ts';
export { describeRule, type Rule } from './lib/rule.ts';
