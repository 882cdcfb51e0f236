import { PolicyMachineryError, printable } from '@policy-machinery/resource';
import { type Condition, type ConditionUpdate, findStatusCondition, generationOf, typeOf } from './condition.ts';
import { truncateMessage } from './truncate-message.ts';

/** How conditions are set. */
export interface SetOptions {
  /** The `metadata.generation` of the object that bears the conditions, as the controller knows it; 0 if it has none. */
  readonly observedGeneration: number;
  /** The time of conditions that are new or whose status flips. */
  readonly now: Date;
  /** Types that are the controller's own: those that are not set are removed. Default: none is removed. */
  readonly owned?: readonly string[];
  /** How many conditions the list may hold. Default 8, the limit of Gateway API (S-08). */
  readonly limit?: number;
}

/** A list of conditions, and what has no place in it. */
export interface SetResult {
  /** The list that was given if nothing has changed. */
  readonly conditions: readonly Condition[];
  /** New conditions that would exceed the limit: others are never removed for them. */
  readonly refused: readonly ConditionUpdate[];
}

/**
 * Sets conditions as Kubernetes wants it: `lastTransitionTime` changes only when a status flips (S-17),
 * `observedGeneration` always (S-15), and all other entries stay where and as they are (S-14).
 *
 * A stored condition of an own type with a newer generation means that the controller's copy of the object is outdated.
 * Then nothing changes (S-15).
 *
 * @param existing What stands in the status. Anything but a list counts as an empty one; entries that are no conditions
 * are kept.
 * @param updates The conditions; the last one of each type counts. New ones are appended in this order. Their messages are made
 * printable, and cut where they are too long.
 * @param options The generation, the time, the own types and the limit.
 * @returns The new list. O(existing + updates).
 * @throws {PolicyMachineryError} `invalid-time`, when `now` is no date that RFC 3339 can write.
 */
export function setStatusConditions(
  existing: unknown,
  updates: readonly ConditionUpdate[],
  { observedGeneration, now, owned = [], limit = 8 }: SetOptions,
): SetResult {
  const stored = listIn(existing);
  const time = timestamp(now);
  if (stored.length === 0 && updates.length === 0) return { conditions: stored, refused: [] };
  const unset = new Map(updates.map((update) => [update.type, update]));
  const own = new Set([...owned, ...unset.keys()]);
  if (isNewer(stored, own, observedGeneration)) return { conditions: stored, refused: [] };

  const kept = stored.flatMap((entry) => {
    const type = typeOf(entry);
    if (type === undefined || !own.has(type)) return [entry];
    const update = unset.get(type);
    unset.delete(type);
    return update === undefined ? [] : [refreshed(entry, update, observedGeneration, time)];
  });
  const room = Math.max(0, limit - kept.length);
  const added = [...unset.values()].slice(0, room);
  const conditions = [...kept, ...added.map((update) => conditionOf(update, observedGeneration, time))];
  return { conditions: sameItems(stored, conditions) ? stored : conditions, refused: [...unset.values()].slice(room) };
}

/**
 * Removes a condition.
 *
 * @param existing What stands in the status. Anything but a list counts as an empty one.
 * @param type The type of the condition.
 * @returns The list without it; the list that was given if it is not there.
 */
export function removeStatusCondition(existing: unknown, type: string): readonly Condition[] {
  const stored = listIn(existing);
  const kept = stored.filter((entry) => typeOf(entry) !== type);
  return kept.length === stored.length ? stored : kept;
}

/** Whether a condition of one of the types has seen a newer generation than this one. */
export function isNewer(conditions: unknown, types: ReadonlySet<string>, observedGeneration: number): boolean {
  return listIn(conditions).some((entry) => types.has(typeOf(entry) ?? '') && generationOf(entry) > observedGeneration);
}

/** What is in the list; entries that are no conditions are passed on unread. */
function listIn(existing: unknown): readonly Condition[] {
  return Array.isArray(existing) ? existing : [];
}

/** Whether two lists hold the same items in the same order. */
export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function refreshed(stored: Condition, update: ConditionUpdate, observedGeneration: number, time: string): Condition {
  const wellFormed = findStatusCondition([stored], update.type);
  const since = wellFormed?.status === update.status ? wellFormed.lastTransitionTime : time;
  const next = conditionOf(update, observedGeneration, since);
  const isSame =
    wellFormed?.status === next.status &&
    wellFormed.reason === next.reason &&
    wellFormed.message === next.message &&
    generationOf(wellFormed) === observedGeneration;
  return isSame ? stored : next;
}

function conditionOf(
  { type, status, reason, message }: ConditionUpdate,
  observedGeneration: number,
  lastTransitionTime: string,
): Condition {
  const seen = observedGeneration > 0 ? { observedGeneration } : {}; // The API server leaves a zero out.
  return { type, status, ...seen, lastTransitionTime, reason, message: truncateMessage(printable(message)) };
}

/** A time as Kubernetes writes it: in whole seconds. */
function timestamp(time: Date): string {
  const text = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  // Years beyond 9999 have a sign and six digits.
  if (text.length !== '2026-01-02T03:04:05.678Z'.length) {
    throw new PolicyMachineryError(
      'invalid-time',
      'The time of the conditions is not a valid date; pass a date before the year 10000',
    );
  }
  return `${text.slice(0, text.indexOf('.'))}Z`;
}
