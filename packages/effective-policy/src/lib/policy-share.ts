import { contributors } from '@policy-machinery/merge';
import type { Policy } from '@policy-machinery/policy-kind';
import type { PlacedLayer } from './layout.ts';
import type { Loss } from './losses.ts';
import type { TracedSpec } from './part.ts';

/**
 * What became of a policy in one scope (S-06):
 * - `enforced`: of what it says there, nothing is lost to others.
 * - `partly-enforced`: some of it is lost.
 * - `overridden`: all of it is lost.
 * - `conflicted`: all of it is lost, since it may not stand beside another policy (C-06).
 */
export type ScopeOutcome = 'enforced' | 'partly-enforced' | 'overridden' | 'conflicted';

/** What became of one policy in one scope. */
export interface PolicyShare<Spec> {
  readonly policy: Policy<Spec>;
  readonly outcome: ScopeOutcome;
  /** Whether it set or removed anything in the effective policy. */
  readonly contributes: boolean;
  /** What it lost, to whom and by which rule. */
  readonly losses: readonly Loss<Spec>[];
}

/** What became of each policy whose layers were merged, or rejected, in one scope. */
export function sharesOf<Spec>(
  layers: readonly PlacedLayer<Spec>[],
  { origins }: TracedSpec<Spec>,
  losses: readonly Loss<Spec>[],
): readonly PolicyShare<Spec>[] {
  const setters = new Set(contributors(origins).map(({ policy }) => policy));
  const lost = new Map<Policy<Spec>, Loss<Spec>[]>();
  for (const loss of losses) {
    const { policy } = loss.layer;
    const others = lost.get(policy) ?? [];
    lost.set(policy, others);
    others.push(loss);
  }
  return [...new Set([...layers.map(({ policy }) => policy), ...lost.keys()])].map((policy) => {
    const contributes = setters.has(policy);
    const ofIt = lost.get(policy) ?? [];
    return { policy, outcome: outcomeOf(contributes, ofIt), contributes, losses: ofIt };
  });
}

function outcomeOf<Spec>(contributes: boolean, losses: readonly Loss<Spec>[]): ScopeOutcome {
  const toOthers = losses.filter((loss) => !isToItself(loss));
  if (toOthers.length === 0) return 'enforced';
  if (contributes) return 'partly-enforced';
  return toOthers.every(isConflict) ? 'conflicted' : 'overridden';
}

/** Whether one stanza of a policy prevailed over another: that is what the policy says. */
export function isToItself<Spec>({ layer, to, rule }: Loss<Spec>): boolean {
  return rule !== 'condition-not-met' && to.length > 0 && to.every(({ policy }) => policy === layer.policy);
}

/** A section's policy that stays instead of the whole object's is no conflict (C-12). */
function isConflict<Spec>({ strategy, rule }: Loss<Spec>): boolean {
  return strategy === 'None' && rule !== 'more-specific' && rule !== 'less-specific';
}
