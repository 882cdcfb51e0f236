import { isJsonObject, type JsonObject } from '@policy-machinery/resource';
import type { ConditionUpdate } from './condition.ts';
import {
  type AncestorOptions,
  type AncestorUpdate,
  type RefusedAncestor,
  setAncestorStatuses,
} from './set-ancestor-statuses.ts';
import { type SetOptions, setStatusConditions } from './set-status-conditions.ts';

/** A whole status, and the parts that do not fit in it. */
export interface StatusResult<Refused> {
  /** The identical status if nothing has changed. Its other fields are kept. */
  readonly status: JsonObject;
  readonly refused: readonly Refused[];
}

/**
 * Sets the conditions of an object directly under its status.
 *
 * @param status The status; anything but an object counts as an empty one.
 * @param updates The conditions.
 * @param options As for {@link setStatusConditions}.
 * @returns The new status.
 * @throws {PolicyMachineryError} As {@link setStatusConditions}.
 */
export function setConditionsInStatus(
  status: unknown,
  updates: readonly ConditionUpdate[],
  options: SetOptions,
): StatusResult<ConditionUpdate> {
  const stored = isJsonObject(status) ? status : {};
  const { conditions, refused } = setStatusConditions(stored.conditions, updates, options);
  return { status: withList(stored, 'conditions', conditions), refused };
}

/**
 * Sets the conditions of a policy for each ancestor, under `status.ancestors`.
 *
 * @param status The status; anything but an object counts as an empty one.
 * @param updates The ancestors and their conditions.
 * @param options As for {@link setAncestorStatuses}.
 * @returns The new status.
 * @throws {PolicyMachineryError} As {@link setAncestorStatuses}.
 */
export function setAncestorsInStatus(
  status: unknown,
  updates: readonly AncestorUpdate[],
  options: AncestorOptions,
): StatusResult<RefusedAncestor> {
  const stored = isJsonObject(status) ? status : {};
  const { ancestors, refused } = setAncestorStatuses(stored.ancestors, updates, options);
  return { status: withList(stored, 'ancestors', ancestors), refused };
}

/** Returns the status with a list. An absent list is not replaced by an empty one. */
function withList(status: JsonObject, field: string, list: readonly object[]): JsonObject {
  const isUnchanged = list === status[field] || (list.length === 0 && status[field] === undefined);
  return isUnchanged ? status : { ...status, [field]: list as readonly JsonObject[] };
}
