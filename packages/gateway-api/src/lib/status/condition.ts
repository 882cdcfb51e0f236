import type { StatusCondition } from '@policy-machinery/topology';

/** Returns a condition that holds. */
export function isTrue(type: string, reason: string, message: string): StatusCondition {
  return { type, status: 'True', reason, message };
}

/** Returns a condition that does not hold. */
export function isFalse(type: string, reason: string, message: string): StatusCondition {
  return { type, status: 'False', reason, message };
}

/** Returns a condition of which the resources of the topology say nothing. */
export function isUnknown(type: string, message: string): StatusCondition {
  return { type, status: 'Unknown', reason: 'Pending', message };
}

/** Why a condition is not true: Gateway API's reason, and a message. */
export interface Fault {
  readonly reason: string;
  readonly message: string;
}

/** Returns the condition of a type, `undefined` where it is not among them. */
export function conditionOf(conditions: readonly StatusCondition[], type: string): StatusCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}
