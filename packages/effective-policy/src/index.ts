export type { AffectedTarget } from './lib/answers/affected.ts';
export { Context, EffectivePolicy } from './lib/answers/effective-policy.ts';
export type { ExplainedPolicy, Explanation } from './lib/answers/explain.ts';
export type { PolicyScope } from './lib/answers/reach.ts';
export type { ScopeGroup } from './lib/answers/scopes.ts';
export { namedParents } from './lib/contexts/named-ancestors.ts';
export {
  type ComputeOptions,
  EffectivePolicies,
  type EffectivePoliciesOptions,
  effectivePolicies,
} from './lib/effective-policies.ts';
export type { ContextLayer } from './lib/fold/context-layer.ts';
export { describeRule, describeStrategy, type Rule, type RuledLoss, type StrategyOfLoss } from './lib/fold/rule.ts';
export type { EffectiveChanges, EffectiveDelta } from './lib/follow/effective-delta.ts';
export { type DeclaredPolicy, objectWithoutSection } from './lib/levels/declared-policy.ts';
export type { Level, RejectedLayer } from './lib/levels/level.ts';
export type { JudgePolicy, PolicyVerdict, Verdict, VerdictOutcome } from './lib/levels/verdict.ts';
export type { EffectiveField } from './lib/reasons/fields.ts';
export { type FieldLoss, finalLosses, type Loss } from './lib/reasons/losses.ts';
export type { PolicyShare, ScopeOutcome } from './lib/reasons/policy-share.ts';
export { type Rival, rivalsIn } from './lib/reasons/rivals.ts';
export { createTrial, Trial, type Tried } from './lib/trial.ts';
