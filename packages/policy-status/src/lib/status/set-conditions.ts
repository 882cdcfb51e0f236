import {
  ancestorKey,
  type ConditionUpdate,
  type SetOptions,
  setConditionsInStatus,
} from '@policy-machinery/conditions';
import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from '@policy-machinery/resource';

/** How the conditions of a status are edited. */
export interface StatusEdit extends SetOptions {
  /** The condition types that the controller owns: those that are not set are removed. */
  readonly owned: readonly string[];
  /** Those among them that only another version of the controller has written. */
  readonly retired: readonly string[];
  readonly controllerName: string;
  /** Receives new conditions that did not fit. */
  readonly refused: (conditions: readonly ConditionUpdate[]) => void;
}

export function setConditions(holder: JsonObject, updates: readonly ConditionUpdate[], edit: StatusEdit): JsonObject {
  const { status, refused } = setConditionsInStatus(holder, updates, edit);
  if (refused.length > 0) edit.refused(refused);
  return status;
}

/** Sets the conditions of the sections that have an entry in a status; sections without one do not have status yet. */
export function setSectionConditions(
  status: JsonObject,
  field: string,
  updatesOf: (section: string) => readonly ConditionUpdate[],
  edit: StatusEdit,
): JsonObject {
  const entries = status[field];
  if (!Array.isArray(entries)) return status;
  const updated = entries.map((entry) =>
    isJsonObject(entry) && typeof entry.name === 'string' ? setConditions(entry, updatesOf(entry.name), edit) : entry,
  );
  return withList(status, field, updated);
}

/** Returns a status with a list; the identical status if the list has the same items. An absent list is not replaced by an empty one. */
export function withList(status: JsonObject, field: string, list: readonly JsonValue[]): JsonObject {
  const stored: unknown = status[field];
  const conditionsBefore: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const isSame =
    list.length === conditionsBefore.length && list.every((item, index) => item === conditionsBefore[index]);
  return isSame ? status : { ...status, [field]: list };
}

/**
 * Sets the conditions in the controller's entries under `status.parents`, one for each parent reference. An entry without any condition is
 * removed; its other conditions, and entries of other controllers, stay.
 *
 * @param namespace The namespace of the route, the default of references.
 */
export function setParentConditions(
  status: JsonObject,
  parentRefs: unknown,
  namespace: string,
  updatesOf: (parentRef: JsonObject) => readonly ConditionUpdate[],
  edit: StatusEdit,
): JsonObject {
  const stored = Array.isArray(status.parents) ? status.parents : [];
  const isOwn = (entry: unknown): entry is JsonObject =>
    isJsonObject(entry) && entry.controllerName === edit.controllerName && isJsonObject(entry.parentRef);
  const keyOf = (parentRef: unknown) => ancestorKey(parentRef, namespace)?.text;
  const wanted = new Map(objectsIn(parentRefs).map((parentRef) => [keyOf(parentRef), parentRef]));
  wanted.delete(undefined); // Entries without a reference.
  const kept = stored.flatMap((entry): JsonValue[] => {
    if (!isOwn(entry)) return [entry];
    const key = keyOf(entry.parentRef);
    const parentRef = wanted.get(key);
    wanted.delete(key);
    const updated = setConditions(entry, parentRef === undefined ? [] : updatesOf(parentRef), edit);
    const isEmptied = updated !== entry && Array.isArray(updated.conditions) && updated.conditions.length === 0;
    return isEmptied ? [] : [updated];
  });
  const added = [...wanted.values()].flatMap((parentRef) => {
    const updates = updatesOf(parentRef);
    if (updates.length === 0) return [];
    return [setConditions({ parentRef, controllerName: edit.controllerName }, updates, edit)];
  });
  const room = Math.max(0, mostParents - kept.length);
  for (const { conditions } of added.slice(room)) edit.refused(conditions as unknown as readonly ConditionUpdate[]);
  return withList(status, 'parents', [...kept, ...added.slice(0, room)]);
}

/** The limit of Gateway API for the status of a route. */
const mostParents = 32;
