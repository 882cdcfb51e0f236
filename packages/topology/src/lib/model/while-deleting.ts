import type { Issue, KubernetesObject } from '@policy-machinery/resource';

/**
 * What a resource is from the beginning of its deletion, which `metadata.deletionTimestamp` says, until its finalizers let it go:
 * - `counts`: it is what it was.
 * - `is-gone`: it is as if it were gone already.
 */
export type WhileDeleting = 'counts' | 'is-gone';

/** A kind that may say so. */
interface MaybeGone {
  readonly whileDeleting?: WhileDeleting;
}

/** Whether resources of a kind are gone once their deletion has begun; `undefined` for what is no kind of that sort. */
export function goesEarly(kind: MaybeGone | undefined): boolean {
  return kind?.whileDeleting === 'is-gone';
}

/** Whether the deletion of a resource has begun. */
export function isBeingDeleted({ metadata: { deletionTimestamp } }: KubernetesObject): boolean {
  return typeof deletionTimestamp === 'string' && deletionTimestamp !== '';
}

/** Says that a resource is left out since its deletion has begun. */
export function deletionIssue(resource: string): Issue {
  return {
    code: 'being-deleted',
    severity: 'warning',
    message:
      "is being deleted, so it no longer counts (its kind has whileDeleting: 'is-gone'); if it stays for long, look at its finalizers",
    resource,
    pointer: '/metadata/deletionTimestamp',
  };
}
