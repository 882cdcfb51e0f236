import { isJsonObject } from '@policy-machinery/resource';
import { reasonFault, typeFault } from './names.ts';

/** The three values of a condition. */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** A condition as it stands in a status: Kubernetes' `metav1.Condition`. */
export interface Condition {
  /** Its key in a list: `Accepted`, or `colors.example.com/ColorPolicyAffected`. */
  readonly type: string;
  readonly status: ConditionStatus;
  /** The `metadata.generation` of the object that was looked at; absent counts as 0. */
  readonly observedGeneration?: number;
  /** When the status last flipped: RFC 3339, in whole seconds. */
  readonly lastTransitionTime: string;
  /** One word, for programs: `Conflicted`. */
  readonly reason: string;
  readonly message: string;
}

/** What a condition is to say. The time and the observed generation are added when it is set. */
export type ConditionUpdate = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * Finds a condition by its type.
 *
 * @param conditions What stands in the status.
 * @param type The type of the condition.
 * @returns The first such condition that has all that a condition must have; `undefined` if there is none.
 */
export function findStatusCondition(conditions: unknown, type: string): Condition | undefined {
  return Array.isArray(conditions)
    ? conditions.find((entry): entry is Condition => isCondition(entry) && entry.type === type)
    : undefined;
}

/**
 * Tells whether a condition is there and true.
 *
 * @param conditions What stands in the status.
 * @param type The type of the condition.
 * @returns Whether its status is `True`.
 */
export function isStatusConditionTrue(conditions: unknown, type: string): boolean {
  return findStatusCondition(conditions, type)?.status === 'True';
}

/**
 * Tells whether a condition is there and false.
 *
 * @param conditions What stands in the status.
 * @param type The type of the condition.
 * @returns Whether its status is `False`.
 */
export function isStatusConditionFalse(conditions: unknown, type: string): boolean {
  return findStatusCondition(conditions, type)?.status === 'False';
}

/** The type of what stands in a list of conditions; `undefined` if it is no condition of any type. */
export function typeOf(entry: unknown): string | undefined {
  return isJsonObject(entry) && typeof entry.type === 'string' ? entry.type : undefined;
}

/** The generation of what stands in a list of conditions; 0 if it says none. */
export function generationOf(entry: unknown): number {
  return isJsonObject(entry) && typeof entry.observedGeneration === 'number' ? entry.observedGeneration : 0;
}

/**
 * Says why Kubernetes would refuse a condition.
 *
 * @param condition The condition; the message is made to fit when it is set.
 * @returns What is wrong with its type, status or reason, and what to write; `undefined` where nothing is.
 */
export function conditionFault({ type, status, reason }: ConditionUpdate): string | undefined {
  const ofStatus = statuses.includes(status) ? undefined : `"${status}" is not a status; write True, False or Unknown`;
  return typeFault(type) ?? ofStatus ?? reasonFault(reason);
}

const statuses: readonly unknown[] = ['True', 'False', 'Unknown'] satisfies readonly ConditionStatus[];

function isCondition(entry: unknown): entry is Condition {
  if (!isJsonObject(entry) || !statuses.includes(entry.status)) return false;
  return ['type', 'reason', 'message', 'lastTransitionTime'].every((field) => typeof entry[field] === 'string');
}
