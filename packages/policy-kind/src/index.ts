export { type ConcernField, type ConcernName, concernNames, type Weakness } from './lib/kind/concern-field.ts';
export type { EffectiveSpec, Fold, OrderedPolicy } from './lib/kind/merging-options.ts';
export type { OtherVersion } from './lib/kind/other-version.ts';
export { definePolicyKind, type PolicyKind } from './lib/kind/policy-kind.ts';
export type { PolicyKindDefinition } from './lib/kind/policy-kind-definition.ts';
export { maskSecrets, type SecretField, secretMask } from './lib/kind/secret-field.ts';
export type { AncestorEntries } from './lib/kind/status-options.ts';
export {
  type AnnotationOptions,
  type AttachedLayer,
  byAnnotation,
  byChallenger,
  byConfiguration,
  byEstablished,
  type StrategyChooser,
} from './lib/kind/strategy-chooser.ts';
export type { Layer, Policy, PolicyReading } from './lib/policies/policy.ts';
export type { TargetReader, TargetReading } from './lib/policies/read-targets.ts';
export type { SpecFault } from './lib/policies/schema-faults.ts';
export { agentgateway } from './lib/profiles/agentgateway.ts';
export { type EnvoyGatewayOptions, envoyGateway } from './lib/profiles/envoy-gateway.ts';
export { gloo } from './lib/profiles/gloo.ts';
export { type IstioOptions, istio } from './lib/profiles/istio.ts';
export { type KgatewayOptions, kgateway } from './lib/profiles/kgateway.ts';
export {
  type Gep713ExperimentalOptions,
  gep713,
  gep713Experimental,
  type KuadrantOptions,
  kuadrant,
  type NginxGatewayFabricOptions,
  nginxGatewayFabric,
  type Profile,
} from './lib/profiles/profiles.ts';
export {
  type AdditiveReader,
  type AdditiveSpec,
  type AdditiveSpecOptions,
  additiveSpec,
} from './lib/stanzas/additive-spec.ts';
export { type BareSpecOptions, bareSpec } from './lib/stanzas/bare-spec.ts';
export type { Condition, ConditionLanguage, ConditionResult } from './lib/stanzas/condition.ts';
export { type DefaultsAndOverridesOptions, defaultsAndOverrides } from './lib/stanzas/defaults-and-overrides.ts';
export { emptyListsUnset } from './lib/stanzas/empty-lists.ts';
export { type GuardedRulesOptions, guardedRules } from './lib/stanzas/guarded-rules.ts';
export type { FieldSchemas, SpecShape, StanzaShape } from './lib/stanzas/spec-shape.ts';
export type { Fault, LayerReading, StanzaReader, StanzaReading } from './lib/stanzas/stanza-reader.ts';
export type { Strategies, StrategyChoice, StrategyOptions } from './lib/stanzas/strategy-choice.ts';
export { type ConditionOptions, withConditions } from './lib/stanzas/with-conditions.ts';
export { type UnsetOptions, withUnset } from './lib/stanzas/with-unset.ts';
