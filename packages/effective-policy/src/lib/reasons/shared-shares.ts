import type { Policy } from '@policy-machinery/policy-kind';
import { isEqualList, isSameList } from '../support/same.ts';
import type { Loss } from './loss.ts';
import type { PolicyShare } from './policy-share.ts';

/** The last shares of each policy, by the first layer that it lost to; by the policy itself, if it lost nothing. */
const known = new WeakMap<Policy<unknown>, WeakMap<object, PolicyShare<unknown>[]>>();

/** More shares differ in their later losses only. Earlier ones are forgotten: edits leave shares behind that no context has any more. */
const most = 8;

/**
 * Returns one object for all equal shares of a policy. A policy has the same share in many contexts, so there are several times fewer shares than
 * policies in contexts: less is kept, and messages have fewer shares to describe.
 */
export function sharedShare<Spec>(share: PolicyShare<Spec>): PolicyShare<Spec> {
  const { policy, losses } = share;
  const key = losses[0]?.winners[0] ?? policy;
  const byFirst = known.get(policy) ?? new WeakMap<object, PolicyShare<unknown>[]>();
  known.set(policy, byFirst);
  const there = (byFirst.get(key) ?? []) as PolicyShare<Spec>[];
  const equal = there.find((other) => isEqual(other, share));
  if (equal !== undefined) return equal;
  byFirst.set(key, [share, ...there.slice(0, most - 1)]);
  return share;
}

function isEqual<Spec>(a: PolicyShare<Spec>, b: PolicyShare<Spec>): boolean {
  if (a === b) return true;
  return (
    a.outcome === b.outcome &&
    a.contributes === b.contributes &&
    a.isMerged === b.isMerged &&
    isEqualList(a.losses, b.losses, isEqualLoss) &&
    isSameList(a.issues, b.issues)
  );
}

function isEqualLoss<Spec>(a: Loss<Spec>, b: Loss<Spec>): boolean {
  return (
    a.layer === b.layer &&
    a.pointer === b.pointer &&
    a.strategy === b.strategy &&
    a.dialectName === b.dialectName &&
    a.because === b.because &&
    a.rule === b.rule &&
    isSameList(a.winners, b.winners) &&
    isEqualFinal(a.final, b.final)
  );
}

function isEqualFinal<Spec>(a: Loss<Spec>['final'], b: Loss<Spec>['final']): boolean {
  return a === undefined || b === undefined ? a === b : isEqualList<Loss<Spec>>(a, b, isEqualLoss);
}
