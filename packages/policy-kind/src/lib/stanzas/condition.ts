import type { JsonObject } from '@policy-machinery/resource';

/** Whether a condition holds, or why it cannot be evaluated. */
export type ConditionResult =
  | { readonly holds: boolean }
  | {
      readonly error: string;
      /** The condition reads a missing field, so it counts as not holding. */
      readonly missing: boolean;
    };

/** A condition on the spec of another policy. Never throws, and ends soon for any spec. */
export type Condition = (spec: JsonObject) => ConditionResult;

/** A language of conditions, such as CEL. */
export interface ConditionLanguage {
  /**
   * Compiles a condition.
   *
   * @throws {PolicyMachineryError} If the condition is faulty, or takes too long even on an empty spec. The message has the position.
   */
  readonly compile: (expression: string) => Condition;
}
