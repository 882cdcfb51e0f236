import { PolicyMachineryError, printable } from '@policy-machinery/resource';
import { type Condition, type ConditionUpdate, findStatusCondition, generationOf, typeOf } from './condition.ts';
import { truncateMessage } from './truncate-message.ts';

/** How conditions are set. */
export interface SetOptions {
  /** The `metadata.generation` of the object with the conditions, as the controller knows it; 0 if there is none. */
  readonly observedGeneration: number;
  /** The time of conditions that are new or change their status. Where the status has changed at a later time already, that time stays. */
  readonly now: Date;
  /**
   * The controller's own types, or `all` if the whole list is the controller's, such as in an entry with its name. Conditions of these types that are
   * not set are removed. Default: none is removed.
   */
  readonly owned?: readonly string[] | 'all' | undefined;
  /** The maximal number of conditions in the list. Default 8, the limit of Gateway API. */
  readonly limit?: number | undefined;
}

/** A list of conditions, and the ones that do not fit in it. */
export interface SetResult {
  /** The identical list if nothing has changed. */
  readonly conditions: readonly Condition[];
  /** New conditions that would exceed the limit. No other condition is removed for them. */
  readonly refused: readonly ConditionUpdate[];
}

/**
 * Sets conditions by Kubernetes conventions: `lastTransitionTime` changes only with the status, `observedGeneration`
 * always, and all other entries keep their content and position. Neither of the two goes back, even if clocks differ.
 *
 * If a stored condition of an own type has a newer generation, the controller's copy of the object is outdated, and nothing
 * changes.
 *
 * @param existing The conditions in the status. Anything other than a list counts as empty; entries that are not conditions are
 * kept.
 * @param updates The conditions; the last one of each type counts. New ones are appended in this order. Their messages are made
 * printable, and cut if they are too long.
 * @param options The generation, the time, the own types and the limit.
 * @returns The new list. O(existing + updates).
 * @throws {PolicyMachineryError} `invalid-time`, if `now` is not a date in RFC 3339.
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
  const isOwn = ownTest(owned, unset.keys());
  if (isNewer(stored, isOwn, observedGeneration)) return { conditions: stored, refused: [] };

  const kept = stored.flatMap((entry) => {
    if (!isOwn(entry)) return [entry];
    const type = typeOf(entry) ?? '';
    const update = unset.get(type);
    unset.delete(type);
    return update === undefined ? [] : [refreshed(entry, stored, update, observedGeneration, time)];
  });
  const room = Math.max(0, limit - kept.length);
  const added = [...unset.values()].slice(0, room);
  const conditions = [...kept, ...added.map((update) => conditionOf(update, observedGeneration, time))];
  return { conditions: sameItems(stored, conditions) ? stored : conditions, refused: [...unset.values()].slice(room) };
}

/**
 * Removes a condition.
 *
 * @param existing The conditions in the status. Anything other than a list counts as empty.
 * @param type The type of the condition.
 * @returns The list without the condition; the identical list if it has none.
 */
export function removeStatusCondition(existing: unknown, type: string): readonly Condition[] {
  const stored = listIn(existing);
  const kept = stored.filter((entry) => typeOf(entry) !== type);
  return kept.length === stored.length ? stored : kept;
}

/** Returns a test of whether an entry in a list of conditions is the controller's: of a type that it owns, or sets. */
export function ownTest(owned: readonly string[] | 'all', set: Iterable<string>): (entry: unknown) => boolean {
  if (owned === 'all') return () => true;
  const types = new Set([...owned, ...set]);
  return (entry) => {
    const type = typeOf(entry);
    return type !== undefined && types.has(type);
  };
}

export function isNewer(conditions: unknown, isOwn: (entry: unknown) => boolean, observedGeneration: number): boolean {
  return listIn(conditions).some((entry) => isOwn(entry) && generationOf(entry) > observedGeneration);
}

/** Returns the items of the list. Entries that are not conditions are passed on unread. */
function listIn(existing: unknown): readonly Condition[] {
  return Array.isArray(existing) ? existing : [];
}

/** Returns whether two lists have the same items in the same order. */
export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** Returns the condition in the place of an entry. If the entry is malformed, the time comes from another entry of its type. */
function refreshed(
  entry: Condition,
  all: readonly Condition[],
  update: ConditionUpdate,
  observedGeneration: number,
  time: string,
): Condition {
  const wellFormed = findStatusCondition(all, update.type);
  const isFlipped = wellFormed?.status !== update.status;
  const since = isFlipped ? laterOf(wellFormed?.lastTransitionTime, time) : wellFormed.lastTransitionTime;
  const next = conditionOf(update, observedGeneration, since);
  const isSame =
    wellFormed === entry &&
    wellFormed.status === next.status &&
    wellFormed.reason === next.reason &&
    wellFormed.message === next.message &&
    generationOf(wellFormed) === observedGeneration;
  return isSame ? entry : next;
}

function conditionOf(
  { type, status, reason, message }: ConditionUpdate,
  observedGeneration: number,
  lastTransitionTime: string,
): Condition {
  const seen = observedGeneration > 0 ? { observedGeneration } : {}; // The API server omits a zero.
  return { type, status, ...seen, lastTransitionTime, reason, message: truncateMessage(printable(message)) };
}

/** Returns the time of a transition: now, unless a clock that is ahead of this one has written a later time. */
function laterOf(stored: string | undefined, now: string): string {
  return stored !== undefined && Date.parse(stored) > Date.parse(now) ? stored : now;
}

/** The last time that was formatted: all conditions that are set at once have the same. */
let last = { time: Number.NaN, text: '' };

/** Formats a time as Kubernetes does, in whole seconds. */
function timestamp(time: Date): string {
  if (time.getTime() === last.time) return last.text;
  const text = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  // Years beyond 9999 have a sign and six digits.
  if (text.length !== '2026-01-02T03:04:05.678Z'.length) {
    throw new PolicyMachineryError(
      'invalid-time',
      'The time of the conditions is not a valid date; pass a date before the year 10000',
    );
  }
  last = { time: time.getTime(), text: `${text.slice(0, text.indexOf('.'))}Z` };
  return last.text;
}
