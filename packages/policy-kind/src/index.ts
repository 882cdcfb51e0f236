export {
  type AdditiveReader,
  type AdditiveSpec,
  type AdditiveSpecOptions,
  additiveSpec,
  isAdditive,
} from './lib/additive-spec.ts';
export { agentgateway } from './lib/agentgateway.ts';
export { type BareSpecOptions, bareSpec } from './lib/bare-spec.ts';
export type { Condition, ConditionLanguage, ConditionResult } from './lib/condition.ts';
export { type DefaultsAndOverridesOptions, defaultsAndOverrides } from './lib/defaults-and-overrides.ts';
export { emptyListsUnset } from './lib/empty-lists.ts';
export { gloo } from './lib/gloo.ts';
export { type GuardedRulesOptions, guardedRules } from './lib/guarded-rules.ts';
export { type IstioOptions, istio } from './lib/istio.ts';
export type { Layer, Policy, PolicyReading } from './lib/policy.ts';
export { definePolicyKind, type PolicyKind } from './lib/policy-kind.ts';
export type {
  AncestorEntries,
  EffectiveSpec,
  Fold,
  OrderedPolicy,
  PolicyKindDefinition,
} from './lib/policy-kind-definition.ts';
export {
  type EnvoyGatewayOptions,
  envoyGateway,
  type Gep713ExperimentalOptions,
  gep713,
  gep713Experimental,
  type KgatewayOptions,
  type KuadrantOptions,
  kgateway,
  kuadrant,
  nginxGatewayFabric,
  type Profile,
} from './lib/profiles.ts';
export type { TargetReader, TargetReading } from './lib/read-targets.ts';
export type { FieldSchemas, SpecShape, StanzaShape } from './lib/spec-shape.ts';
export type { Fault, LayerReading, StanzaReader, StanzaReading } from './lib/stanza-reader.ts';
export type { StrategyChoice, StrategyOptions } from './lib/strategy-choice.ts';
export {
  type AnnotationOptions,
  type AttachedLayer,
  byAnnotation,
  byChallenger,
  byConfiguration,
  byEstablished,
  type StrategyChooser,
} from './lib/strategy-chooser.ts';
export { type ConditionOptions, withConditions } from './lib/with-conditions.ts';
export { type UnsetOptions, withUnset } from './lib/with-unset.ts';
