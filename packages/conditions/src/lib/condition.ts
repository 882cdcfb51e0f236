import { isJsonObject } from '@policy-machinery/resource';
import { reasonFault, typeFault } from './names.ts';

/** The three values of a condition. */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** A condition in a status: Kubernetes' `metav1.Condition`. */
export interface Condition {
  /** Its key in a list: `Accepted`, or `colors.example.com/ColorPolicyAffected`. */
  readonly type: string;
  readonly status: ConditionStatus;
  /** The `metadata.generation` of the observed object; 0 if absent. */
  readonly observedGeneration?: number;
  /** When the status last changed: RFC 3339, in whole seconds. */
  readonly lastTransitionTime: string;
  /** One word, for programs: `Conflicted`. */
  readonly reason: string;
  readonly message: string;
}

/** The content of a condition. Setting it adds the time and the observed generation. */
export type ConditionUpdate = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * Finds a condition by its type.
 *
 * @param conditions The conditions in the status.
 * @param type The type of the condition.
 * @returns The first complete condition of that type; `undefined` if there is none.
 */
export function findStatusCondition(conditions: unknown, type: string): Condition | undefined {
  return Array.isArray(conditions)
    ? conditions.find((entry): entry is Condition => isCondition(entry) && entry.type === type)
    : undefined;
}

/**
 * Returns whether a condition exists and is true.
 *
 * @param conditions The conditions in the status.
 * @param type The type of the condition.
 * @returns Whether its status is `True`.
 */
export function isStatusConditionTrue(conditions: unknown, type: string): boolean {
  return findStatusCondition(conditions, type)?.status === 'True';
}

/**
 * Returns whether a condition exists and is false.
 *
 * @param conditions The conditions in the status.
 * @param type The type of the condition.
 * @returns Whether its status is `False`.
 */
export function isStatusConditionFalse(conditions: unknown, type: string): boolean {
  return findStatusCondition(conditions, type)?.status === 'False';
}

/** Returns the type of an entry in a list of conditions; `undefined` if it has none. */
export function typeOf(entry: unknown): string | undefined {
  return isJsonObject(entry) && typeof entry.type === 'string' ? entry.type : undefined;
}

/** Returns the generation of an entry in a list of conditions; 0 if it has none. */
export function generationOf(entry: unknown): number {
  return isJsonObject(entry) && typeof entry.observedGeneration === 'number' ? entry.observedGeneration : 0;
}

/**
 * Returns why Kubernetes would refuse a condition.
 *
 * @param condition The condition. Its message is not checked, because it is cut when the condition is set.
 * @returns The fault of its type, status or reason, with the expected form; `undefined` if it is valid.
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
