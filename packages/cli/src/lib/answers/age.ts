import type { KubernetesObject } from '@policy-machinery/resource';

/** The units of ages, in seconds. */
const [minute, hour, day, year] = [60, 3600, 86_400, 31_536_000] as const;

/**
 * Returns how old an object is, as kubectl writes it: `35s`, `5m30s`, `12m`, `3h20m`, `36h`, `5d3h`, `80d`, `3y10d`.
 *
 * @param now The present.
 * @returns The age; `<unknown>` without a creation time.
 */
export function ageOf({ metadata }: KubernetesObject, now: Date): string {
  const { creationTimestamp } = metadata;
  const created = typeof creationTimestamp === 'string' ? Date.parse(creationTimestamp) : Number.NaN;
  if (Number.isNaN(created)) return '<unknown>';
  return humanDuration(Math.floor((now.getTime() - created) / 1000));
}

/** Returns a duration in seconds as kubectl writes it: in two units while it is short for the larger one. */
export function humanDuration(seconds: number): string {
  if (seconds < -1) return '<invalid>';
  if (seconds < 2 * minute) return `${Math.max(seconds, 0)}s`;
  if (seconds < 10 * minute) return two(seconds, minute, 'm', 1, 's');
  if (seconds < 3 * hour) return `${Math.floor(seconds / minute)}m`;
  if (seconds < 8 * hour) return two(seconds, hour, 'h', minute, 'm');
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)}h`;
  if (seconds < 8 * day) return two(seconds, day, 'd', hour, 'h');
  if (seconds < 2 * year) return `${Math.floor(seconds / day)}d`;
  if (seconds < 8 * year) return two(seconds, year, 'y', day, 'd');
  return `${Math.floor(seconds / year)}y`;
}

function two(seconds: number, unit: number, name: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % unit) / small);
  return `${Math.floor(seconds / unit)}${name}${rest === 0 ? '' : `${rest}${smallName}`}`;
}
