import type { MergeStrategy } from '@policy-machinery/merge';
import type { JsonObject } from '@policy-machinery/resource';
import type { Condition } from './condition.ts';
import type { Choice } from './dictate.ts';
import type { SpecShape } from './spec-shape.ts';

/** A part of a policy's spec that is merged as one: its stanza, its strategy, and the spec proper. */
export interface Block extends Choice {
  readonly spec: JsonObject;
  /** JSON Pointer to the spec proper, from the root of the policy. */
  readonly pointer: string;
  /** The block applies only where this holds. Default: always. */
  readonly when?: Condition;
  /**
   * What the condition is about: what lies `below` the block (the default), or the `result`: what applies without the block and without
   * the overrides above it, defaults from above included.
   */
  readonly whenOn?: 'below' | 'result';
  /** What becomes of the block where its condition fails. Default `applies`. */
  readonly whenFails?: 'applies' | 'is-left-out';
  /** Fields of less specific defaults that the policy unsets, by their path with dots, or the last part of it. Default none. */
  readonly unset?: readonly string[];
}

/** What is wrong with a policy's spec, and where. */
export interface Fault {
  readonly message: string;
  /** JSON Pointer from the root of the policy. */
  readonly pointer: string;
}

/** What a stanza reader found. */
export interface StanzaReading {
  /**
   * In the order in which the policy applies them: its defaults before its overrides. Beside faults they are still validated,
   * so that everything is reported at once, but never merged.
   */
  readonly blocks: readonly Block[];
  readonly faults: readonly Fault[];
}

/** How a dialect writes defaults, overrides and strategies. A value, so that dialects need no code of their own. */
export interface StanzaReader {
  /** The strategies that policies can select, by the names that they use. */
  readonly strategies: Readonly<Record<string, MergeStrategy>>;
  /** Takes a spec apart; must not change it, nor throw for what it says. */
  readonly read: (spec: JsonObject) => StanzaReading;
  /** What its specs look like, for CustomResourceDefinitions. Default: that is not known, and must be said there. */
  readonly shape?: SpecShape;
}
