import type { KubernetesObject } from '@policy-machinery/resource';

/** When a resource was created, in whole seconds since 1970 (C-04); infinite where that is unknown. */
export function createdAt({ metadata }: KubernetesObject): number {
  const seconds = Math.floor(Date.parse(metadata.creationTimestamp ?? '') / 1000);
  return Number.isNaN(seconds) ? Number.POSITIVE_INFINITY : seconds;
}
