import { isJsonObject, type JsonObject } from '@policy-machinery/resource';
import type { ConditionUpdate } from './condition.ts';
import {
  type AncestorOptions,
  type AncestorUpdate,
  type RefusedAncestor,
  setAncestorStatuses,
} from './set-ancestor-statuses.ts';
import { type SetOptions, setStatusConditions } from './set-status-conditions.ts';

/** A whole status, and what has no place in it. */
export interface StatusResult<Refused> {
  /** The status that was given if nothing has changed. Its other fields are kept. */
  readonly status: JsonObject;
  readonly refused: readonly Refused[];
}

/**
 * Renders what is to be said of an object as conditions directly under its status.
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
 * Renders what is to be said of a policy as one list of conditions for each ancestor, under `status.ancestors` (S-08, X-13).
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

/** An empty list is not worth a write where there was none. */
function withList(status: JsonObject, field: string, list: readonly object[]): JsonObject {
  const isUnchanged = list === status[field] || (list.length === 0 && status[field] === undefined);
  return isUnchanged ? status : { ...status, [field]: list as readonly JsonObject[] };
}
