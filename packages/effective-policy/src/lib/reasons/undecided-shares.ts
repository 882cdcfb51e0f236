import type { Policy } from '@policy-machinery/policy-kind';
import type { Loss } from './loss.ts';
import type { PolicyShare } from './policy-share.ts';

/**
 * Returns shares with undecided outcomes where the order of policies of unknown age decides, or a field of the target's own value that may prevail.
 *
 * @param shares The shares in one of the orders.
 * @param others The shares in each case; `undefined` if the orders are too many: then each policy is undecided that wins or loses by its age.
 */
export function withUndecided<Spec>(
  shares: readonly PolicyShare<Spec>[],
  others: readonly (readonly PolicyShare<Spec>[])[] | undefined,
): readonly PolicyShare<Spec>[] {
  if (others === undefined) {
    const open = new Set(shares.flatMap(({ losses }) => losses.flatMap(policiesByAge)));
    return shares.map((share) => (open.has(share.policy) ? { ...share, outcome: 'undecided' } : share));
  }
  return shares.map((share): PolicyShare<Spec> => {
    const ownShares = others.flatMap(
      (order) => order.find(({ policy }) => policy.locator === share.policy.locator) ?? [],
    );
    if (ownShares.every(({ outcome }) => outcome === share.outcome)) return share;
    const { losses } = [share, ...ownShares].find((it) => it.losses.length > 0) ?? share;
    return { ...share, outcome: 'undecided', losses };
  });
}

function policiesByAge<Spec>({ layer, winners, rule }: Loss<Spec>): readonly Policy<Spec>[] {
  return rule === 'age-not-known' ? [layer.policy, ...winners.map(({ policy }) => policy)] : [];
}
