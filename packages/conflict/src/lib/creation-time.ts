import type { KubernetesObject } from '@policy-machinery/resource';

const rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/**
 * When a resource was created, in whole seconds since 1970: Kubernetes keeps no finer time (C-04).
 *
 * @param resource Any Kubernetes resource.
 * @returns The seconds, or `undefined` when `metadata.creationTimestamp` is missing or is no RFC 3339 time.
 */
export function creationTimeOf(resource: KubernetesObject): number | undefined {
  const timestamp = resource.metadata.creationTimestamp;
  const [text, date] = (typeof timestamp === 'string' ? rfc3339.exec(timestamp) : undefined) ?? [];
  if (text === undefined || date === undefined || !isInCalendar(date)) return undefined;
  const milliseconds = Date.parse(text.toUpperCase());
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

/** JavaScript takes 30 February for 2 March. */
function isInCalendar(date: string): boolean {
  const day = Number(date.slice(-2));
  return day <= 28 || new Date(Date.parse(date)).getUTCDate() === day;
}
