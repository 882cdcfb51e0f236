import type { Issue, KubernetesObject } from '@policy-machinery/resource';

/**
 * Whether a resource counts while it is being deleted, from `metadata.deletionTimestamp` until its finalizers are done:
 * - `counts`: the resource counts until it is gone.
 * - `is-gone`: the resource no longer counts.
 */
export type WhileDeleting = 'counts' | 'is-gone';

/** Returns whether resources of a kind no longer count once their deletion has begun; `undefined` if the value is not such a kind. */
export function goesEarly(kind: { readonly whileDeleting?: WhileDeleting | undefined } | undefined): boolean {
  return kind?.whileDeleting === 'is-gone';
}

/** Returns whether the deletion of a resource has begun. */
export function isBeingDeleted({ metadata: { deletionTimestamp } }: KubernetesObject): boolean {
  return typeof deletionTimestamp === 'string' && deletionTimestamp !== '';
}

/** Returns the issue of a resource that is left out, because its deletion has begun. */
export function deletionIssue(resource: string): Issue {
  return {
    code: 'being-deleted',
    severity: 'warning',
    message:
      "is being deleted, so it is ignored (its kind has whileDeleting: 'is-gone'); if it is not removed soon, check its finalizers",
    resource,
    pointer: '/metadata/deletionTimestamp',
  };
}
