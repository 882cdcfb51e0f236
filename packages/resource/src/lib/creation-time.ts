import type { KubernetesObject } from './kubernetes-object.ts';

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Returns when a resource was created, in whole seconds since 1970, the precision of Kubernetes.
 *
 * @param resource Any Kubernetes resource.
 * @returns The seconds, or `undefined` if `metadata.creationTimestamp` is missing or is not an RFC 3339 time.
 */
export function creationTimeOf(resource: KubernetesObject): number | undefined {
  const timestamp = resource.metadata.creationTimestamp;
  if (typeof timestamp !== 'string' || !rfc3339.test(timestamp) || !isInCalendar(timestamp.slice(0, 10)))
    return undefined;
  const milliseconds = Date.parse(timestamp.toUpperCase());
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

/**
 * Returns which of two resources is older.
 *
 * @param a The creation time of the one, in whole seconds; `undefined` if it is not known.
 * @param b The creation time of the other.
 * @returns A negative number if the one is older, a positive number if the other is, and 0 if both were created in the same second; `undefined` if a
 * creation time is not known, because either may be older then.
 */
export function compareCreationTimes(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b;
}

/**
 * Sorts by creation time: the oldest first, those without a known time last. The order differs from the order of ages if a time is
 * not known: {@link compareCreationTimes}.
 *
 * @param a The creation time of the one, in whole seconds; `undefined` if it is not known.
 * @param b The creation time of the other.
 * @returns The order of the two, as for `Array.prototype.sort`.
 */
export function oldestFirst(a: number | undefined, b: number | undefined): number {
  return compareCreationTimes(a, b) ?? Number(a === undefined) - Number(b === undefined);
}

/** Returns whether a date exists, because JavaScript converts 30 February to 2 March. */
function isInCalendar(date: string): boolean {
  const day = Number(date.slice(-2));
  return day <= 28 || new Date(Date.parse(date)).getUTCDate() === day;
}
