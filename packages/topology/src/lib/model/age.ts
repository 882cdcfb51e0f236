import type { KubernetesObject } from '@policy-machinery/resource';

/** Returns a text by which resources are compared: the oldest first, then by locator. A resource without a time is the youngest. */
export function ageOf(locator: string, resource: KubernetesObject | undefined): string {
  return `${resource?.metadata.creationTimestamp ?? '~'}\u0000${locator}`;
}
