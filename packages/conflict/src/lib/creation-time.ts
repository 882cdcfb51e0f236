import type { KubernetesObject } from '@policy-machinery/resource';

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * When a resource was created, in whole seconds since 1970: Kubernetes keeps no finer time (C-04).
 *
 * @param resource Any Kubernetes resource.
 * @returns The seconds, or `undefined` when `metadata.creationTimestamp` is missing or is no RFC 3339 time.
 */
export function creationTimeOf(resource: KubernetesObject): number | undefined {
  const timestamp = resource.metadata.creationTimestamp;
  if (typeof timestamp !== 'string' || !rfc3339.test(timestamp)) return undefined;
  const milliseconds = Date.parse(timestamp);
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}
