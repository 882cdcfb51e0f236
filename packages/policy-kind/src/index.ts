export { type BareSpecOptions, bareSpec } from './lib/bare-spec.ts';
export { type DefaultsAndOverridesOptions, defaultsAndOverrides } from './lib/defaults-and-overrides.ts';
export type { Layer, Policy, PolicyReading } from './lib/policy.ts';
export { definePolicyKind, type PolicyKind, type PolicyKindDefinition, type Reduction } from './lib/policy-kind.ts';
export type { Block, Fault, StanzaReader, StanzaReading } from './lib/stanza-reader.ts';
export type { StrategyOptions } from './lib/strategy-choice.ts';
