import type { JsonObject } from '@policy-machinery/resource';
import type { Condition } from './condition.ts';
import type { SpecShape } from './spec-shape.ts';
import type { Strategies, StrategyChoice } from './strategy-choice.ts';

/** A part of a policy's spec that is merged as a unit: its stanza, its strategy, and the spec proper. */
export interface LayerReading extends StrategyChoice {
  readonly spec: JsonObject;
  /**
   * For strategies that keep all policies: the group of the policy. The merged value is then the spec proper under its group and the
   * name of its policy, as in `{ DENY: { 'shop/no-guests': { … } } }`. Default: the spec proper is merged itself.
   */
  readonly group?: string;
  /**
   * JSON Pointers to fields of the spec proper that stay for all policies. The merged value is then under the name of its policy, as in `{
   * authorization: { 'shop/staff': { … } } }`. Default: none.
   */
  readonly kept?: readonly string[];
  /** JSON Pointer to the spec proper, from the root of the policy. */
  readonly pointer: string;
  /** The layer applies only if this condition holds. Default: always. */
  readonly when?: Condition;
  /**
   * The subject of the condition: the policies `below` the layer (the default), or the `result`: the spec that applies without
   * the layer and without the overrides above it, including defaults from above.
   */
  readonly whenOn?: 'below' | 'result';
  /** Whether the layer applies if its condition fails. Default: `applies`. */
  readonly whenFails?: 'applies' | 'is-left-out';
  /** Fields of less specific defaults that the policy unsets, by their path with dots, or the last part of the path. Default none. */
  readonly unset?: readonly string[];
}

/** A fault of a policy's spec, with its place. */
export interface Fault {
  readonly message: string;
  /** JSON Pointer from the root of the policy. */
  readonly pointer: string;
}

/** The result of a stanza reader. */
export interface StanzaReading {
  /**
   * The layers, in the order of the policy: its defaults before its overrides. If there are faults, the layers are still validated, so that
   * everything is reported at once, but never merged.
   */
  readonly layers: readonly LayerReading[];
  readonly faults: readonly Fault[];
}

/** How a dialect writes defaults, overrides and strategies. It is a value, so dialects need no special code. */
// biome-ignore lint/suspicious/noExplicitAny: as for MergeStrategy.
export interface StanzaReader<in Spec = any> {
  /** The strategies that policies can select, by name. */
  readonly strategies: Strategies<Spec>;
  /** Splits a spec into stanzas. Must not change the spec, or throw because of its content. */
  readonly read: (spec: JsonObject) => StanzaReading;
  /**
   * Returns the structural schema of effective specs, from the schema of the specs proper, if the two differ. Effective specs of such a kind are not
   * checked by the schema of one policy. Default: they have the same.
   */
  readonly mergedSchema?: (schema: JsonObject) => JsonObject;
  /** The shape of its specs, for CustomResourceDefinitions. Default: unknown, so the definition must provide it. */
  readonly shape?: SpecShape;
}
