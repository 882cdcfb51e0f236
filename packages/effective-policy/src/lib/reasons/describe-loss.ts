import { describeRule, describeStrategy } from '../fold/rule.ts';
import type { Loss } from './loss.ts';

/** How losses are described. */
export interface LossTextOptions {
  /**
   * Whether policies of the kind write defaults and overrides, so that GEP-713's names of strategies are clearer than the dialect's.
   * Default yes.
   */
  readonly stanzas?: boolean | undefined;
}

/**
 * Returns why a layer lost, in a clause: the layers that won, their rule and the strategy. The layers that set the lost fields in the end follow,
 * if the winners have lost these in turn.
 *
 * @param loss The loss, of a field or of the whole layer.
 * @param options The name of the strategy.
 * @returns `shop/patient is more specific (Patch defaults)`, or `shop/patient is more specific (Patch defaults), finally set by shop/strict`.
 */
export function describeLoss(loss: Loss<unknown>, { stanzas = true }: LossTextOptions = {}): string {
  const name = stanzas || loss.because !== undefined ? undefined : loss.dialectName;
  return `${describeRule(loss)} (${name ?? describeStrategy(loss)})${describeHolders([loss])}`;
}

/**
 * Returns which policies set lost fields in the end, as the end of a sentence about the winners.
 *
 * @param losses Losses to the same winners.
 * @param nameOf Names policies. Default: as `namespace/name`.
 * @returns `, finally set by shop/strict`; empty if the winners still hold all fields, or nobody does.
 */
export function describeHolders(
  losses: readonly Loss<unknown>[],
  nameOf = ({ policy }: Loss<unknown>['layer']): string => policy.name,
): string {
  const names = new Set(
    losses.flatMap(({ layer, winners, holders }) => {
      const named = new Set([layer, ...winners].map(({ policy }) => policy));
      return holders.filter(({ policy }) => !named.has(policy)).map(nameOf);
    }),
  );
  const [first, ...others] = [...names].sort();
  if (first === undefined) return '';
  return `, finally set by ${others.length > mostNamed ? `${first} and others` : [first, ...others].join(' and ')}`;
}

/** Longer lists do not help readers. */
const mostNamed = 4;
