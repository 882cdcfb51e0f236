import { isEqualList, isSameList, isSameSet } from '../support/same.ts';
import type { Level } from './level.ts';

/** Whether two levels are of policies of the same names, in the same order, and no verdict bars any. */
export function isLikeLevel<Spec>(a: Level<Spec>, b: Level<Spec>): boolean {
  if (a.barred.size + b.barred.size > 0) return false;
  return a.via === b.via && isEqualList(a.policies, b.policies, (p, q) => p.locator === q.locator);
}

/**
 * Whether two levels of a target are of the very same policies.
 *
 * @param isAsked Whether what the target says matters, too.
 */
export function isSameLevel<Spec>(old: Level<Spec>, young: Level<Spec>, isAsked: boolean): boolean {
  return (
    old.via === young.via &&
    (old.resource === young.resource || !isAsked) &&
    isSameSet(old.barred, young.barred) &&
    isSameList(old.policies, young.policies)
  );
}
