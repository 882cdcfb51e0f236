import type { Policy } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';

/**
 * Returns whether two lists have the same policies in the same order, apart from their statuses and the API server's metadata about writes: the
 * statuses that controllers write must not cause policies to be merged again. O(size of the policies).
 */
export function areAlike(some: readonly Policy<unknown>[], others: readonly Policy<unknown>[]): boolean {
  return (
    some.length === others.length && some.every(({ resource }, index) => isAlike(resource, others[index]?.resource))
  );
}

/** Returns whether two resources are the same, apart from their statuses and the API server's metadata about writes. O(size of the resources). */
export function isAlike(resource: KubernetesObject, other: KubernetesObject | undefined): boolean {
  return other === resource || (other !== undefined && essenceOf(resource) === essenceOf(other));
}

function essenceOf({ status: _status, ...resource }: KubernetesObject): string {
  const metadata = Object.entries(resource.metadata).filter(([field]) => !notes.has(field));
  return JSON.stringify([{ ...resource, metadata: undefined }, metadata]);
}

const notes: ReadonlySet<string> = new Set(['resourceVersion', 'managedFields']);
