import { isJsonObject, type JsonValue } from '@policy-machinery/resource';

/**
 * Returns whether two statuses have the same conditions with the same status and reason, in entries of the same objects. Messages, times and
 * generations may differ. O(size of the statuses).
 */
export function saysTheSame(some: JsonValue, other: JsonValue): boolean {
  return isBare(some) === isBare(other) && essence(some) === essence(other);
}

/** Returns whether a status has nothing but details, as before the first write. */
function isBare(status: JsonValue): boolean {
  return isJsonObject(status) && Object.keys(status).every((key) => details.has(key));
}

const details: ReadonlySet<string> = new Set(['message', 'lastTransitionTime', 'observedGeneration']);

/** Returns the content of a status without details, as a text. */
function essence(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(essence).sort().join()}]`; // The order of conditions and entries does not count.
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([key, field]) => field !== undefined && !details.has(key));
  return `{${fields
    .map(([key, field]) => `${JSON.stringify(key)}:${essence(field)}`)
    .sort()
    .join()}}`;
}
