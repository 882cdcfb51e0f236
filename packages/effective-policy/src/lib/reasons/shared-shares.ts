import type { Policy } from '@policy-machinery/policy-kind';
import type { PolicyShare } from './policy-share.ts';
import { shareComparison } from './share-comparison.ts';

/** The last shares of each policy, by the first layer that it lost to; by the policy itself, if it lost nothing. */
const sharesByPolicy = new WeakMap<Policy<unknown>, WeakMap<object, PolicyShare<unknown>[]>>();

/** More shares differ in their later losses only. Earlier ones are forgotten: edits leave shares behind that no context has any more. */
const most = 8;

/**
 * Returns one object for all equal shares of a policy. A policy has the same share in many contexts, so there are several times fewer shares than
 * policies in contexts: less is kept, and messages have fewer shares to describe.
 */
export function sharedShare<Spec>(share: PolicyShare<Spec>): PolicyShare<Spec> {
  const { policy, losses } = share;
  const key = losses[0]?.winners[0] ?? policy;
  const byFirst = sharesByPolicy.get(policy) ?? new WeakMap<object, PolicyShare<unknown>[]>();
  sharesByPolicy.set(policy, byFirst);
  const sharesOfPolicy = (byFirst.get(key) ?? []) as PolicyShare<Spec>[];
  const equal = sharesOfPolicy.find((other) => isEqual(other, share));
  if (equal !== undefined) return equal;
  byFirst.set(key, [share, ...sharesOfPolicy.slice(0, most - 1)]);
  return share;
}

const isEqual = shareComparison(Object.is);
