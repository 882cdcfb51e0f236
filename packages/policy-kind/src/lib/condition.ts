import type { JsonObject } from '@policy-machinery/resource';

/** Whether a condition holds, or why that cannot be said. */
export type ConditionResult =
  | { readonly holds: boolean }
  | {
      readonly error: string;
      /** The condition asks for a field that is not there: it counts as not holding. */
      readonly missing: boolean;
    };

/** A condition on the spec of another policy. Never throws, and ends soon whatever the spec. */
export type Condition = (spec: JsonObject) => ConditionResult;

/** A language of conditions, such as CEL. */
export interface ConditionLanguage {
  /**
   * Reads a condition.
   *
   * @throws {PolicyMachineryError} When the condition is faulty, or takes too long even on an empty spec; the message says where.
   */
  readonly compile: (expression: string) => Condition;
}
