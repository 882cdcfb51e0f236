import type { StatusCondition } from '@policy-machinery/topology';

export function isTrue(type: string, reason: string, message: string): StatusCondition {
  return { type, status: 'True', reason, message };
}

export function isFalse(type: string, reason: string, message: string): StatusCondition {
  return { type, status: 'False', reason, message };
}

/** Returns a condition that the resources of the topology do not decide. */
export function isUnknown(type: string, message: string): StatusCondition {
  return { type, status: 'Unknown', reason: 'Pending', message };
}

/** The reason why a condition is not true, as Gateway API names it, with a message. */
export interface ConditionFault {
  readonly reason: string;
  readonly message: string;
}

/** Returns the condition of a type; `undefined` if there is none. */
export function conditionOf(conditions: readonly StatusCondition[], type: string): StatusCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

export function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}
