import type { KubernetesObject } from './kubernetes-object.ts';

const rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Returns when a resource was created, in whole seconds since 1970, which is the precision of Kubernetes (C-04).
 *
 * @param resource Any Kubernetes resource.
 * @returns The seconds, or `undefined` if `metadata.creationTimestamp` is missing or is not an RFC 3339 time.
 */
export function creationTimeOf(resource: KubernetesObject): number | undefined {
  const timestamp = resource.metadata.creationTimestamp;
  const [text, date] = (typeof timestamp === 'string' ? rfc3339.exec(timestamp) : undefined) ?? [];
  if (text === undefined || date === undefined || !isInCalendar(date)) return undefined;
  const milliseconds = Date.parse(text.toUpperCase());
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

/** Returns whether a date exists, since JavaScript converts 30 February to 2 March. */
function isInCalendar(date: string): boolean {
  const day = Number(date.slice(-2));
  return day <= 28 || new Date(Date.parse(date)).getUTCDate() === day;
}
