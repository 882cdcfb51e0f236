import { isEqualList, isSameList, isSameSet } from '../support/same.ts';
import type { Level } from './level.ts';

/** Returns whether two levels have policies of the same names, in the same order, and neither bars policies. */
export function isLikeLevel<Spec>(a: Level<Spec>, b: Level<Spec>): boolean {
  if (a.barred.size + b.barred.size > 0) return false;
  return a.via === b.via && isEqualList(a.policies, b.policies, (p, q) => p.locator === q.locator);
}

/**
 * Returns whether two levels of a target have the same policies.
 *
 * @param isAsked Whether the resource of the target matters, too.
 */
export function isSameLevel<Spec>(old: Level<Spec>, young: Level<Spec>, isAsked: boolean): boolean {
  return (
    old.via === young.via &&
    (old.resource === young.resource || !isAsked) &&
    isSameSet(old.barred, young.barred) &&
    isSameList(old.policies, young.policies)
  );
}
