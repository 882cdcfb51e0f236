import type { KubernetesObject } from './kubernetes-object.ts';

/** The metadata that the API server sets for writes. */
const notes: ReadonlySet<string> = new Set(['resourceVersion', 'managedFields']);

/**
 * Returns whether two versions of an object are the same, apart from their statuses and the API server's metadata about writes: the statuses that
 * controllers write change nothing else.
 *
 * @param object One version.
 * @param other Another one; `undefined` is never the same.
 * @returns Whether they are the same, also in the order of fields. O(size of the objects).
 */
export function hasSameContent(object: KubernetesObject, other: KubernetesObject | undefined): boolean {
  return other === object || (other !== undefined && contentOf(object) === contentOf(other));
}

function contentOf({ status: _status, metadata, ...content }: KubernetesObject): string {
  return JSON.stringify([Object.entries(metadata).filter(([field]) => !notes.has(field)), content]);
}
