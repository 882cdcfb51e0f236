export {
  type AffectedTarget,
  type DeclaredPolicy,
  EffectivePolicies,
  type EffectivePoliciesOptions,
  effectivePolicies,
} from './lib/effective-policies.ts';
export { Context, EffectivePolicy } from './lib/effective-policy.ts';
export type { ExplainedPolicy, Explanation } from './lib/explain.ts';
export type { EffectiveField } from './lib/fields.ts';
export type { PlacedLayer } from './lib/layout.ts';
export type { Level, LevelTurn, RejectedLayer } from './lib/level.ts';
export type { FieldLoss, Loss } from './lib/losses.ts';
export type { PolicyShare, ScopeOutcome } from './lib/policy-share.ts';
export type { PolicyScope } from './lib/reach.ts';
export { describeRule, type Rule } from './lib/rule.ts';
