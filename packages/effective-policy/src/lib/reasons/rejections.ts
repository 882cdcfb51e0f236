import type { Policy } from '@policy-machinery/policy-kind';
import { rejectedAt } from '../fold/layer-order.ts';
import type { Level } from '../levels/level.ts';
import { none } from '../support/nothing.ts';
import type { LayerLoss } from './loss.ts';
import { type ConflictRules, rejectionLoss } from './losses.ts';
import { type RejectedPolicy, rejectedPolicy } from './shares-of.ts';

/** Returns the policies that the levels of a context rejected, the most specific level first. Usually there are none. */
export function rejectedIn<Spec>(
  levels: readonly Level<Spec>[],
  rules: ConflictRules,
): readonly RejectedPolicy<Spec>[] {
  let rejectedPolicies: readonly RejectedPolicy<Spec>[] = none;
  for (let depth = levels.length - 1; depth >= 0; depth -= 1) {
    const level = levels[depth];
    if (level === undefined || level.rejected.length === 0) continue;
    const rejectedHere = rejectedFrom(level, depth, rules);
    rejectedPolicies = rejectedPolicies.length === 0 ? rejectedHere : rejectedPolicies.concat(rejectedHere);
  }
  return rejectedPolicies;
}

type ByDepth<Spec> = Map<number, readonly RejectedPolicy<Spec>[]>;

/** The rejected policies of each level, by the depth of the level in a context: contexts share them. */
const rejectedByLevel = new WeakMap<Level<unknown>, ByDepth<unknown>>();

function rejectedFrom<Spec>(level: Level<Spec>, depth: number, rules: ConflictRules): readonly RejectedPolicy<Spec>[] {
  const byDepth = (rejectedByLevel.get(level as Level<unknown>) ?? new Map()) as ByDepth<Spec>;
  const rejectedAtDepth = byDepth.get(depth);
  if (rejectedAtDepth !== undefined) return rejectedAtDepth;
  const lost = new Map<Policy<Spec>, LayerLoss<Spec>[]>();
  for (const rejection of rejectedAt(level, depth)) {
    const { policy } = rejection.layer;
    const losses = lost.get(policy) ?? [];
    lost.set(policy, losses);
    losses.push(rejectionLoss(rejection, rules));
  }
  const rejected = Array.from(lost, ([policy, losses]) => rejectedPolicy(policy, losses));
  rejectedByLevel.set(level as Level<unknown>, byDepth.set(depth, rejected) as ByDepth<unknown>);
  return rejected;
}
