import { creationTimeOf, type KubernetesObject } from '@policy-machinery/resource';

/** Returns a text that sorts resources: the oldest first, then by locator. A resource without a time is the youngest. */
export function ageOf(locator: string, resource: KubernetesObject | undefined): string {
  const time = resource === undefined ? undefined : creationTimeOf(resource);
  return `${time === undefined ? '~' : String(time + positive).padStart(digits, '0')}\u0000${locator}`;
}

/** Makes the seconds of all years from 0 to 9999 positive numbers, with so many digits at most. */
const positive = 1e11;
const digits = 12;
