import {
  type ContextLayer,
  describeRule,
  describeStrategy,
  finalLosses,
  type Loss,
} from '@policy-machinery/effective-policy';

/** How losses are formatted. */
export interface LossTextOptions {
  /**
   * Whether policies of the kind write defaults and overrides, so that GEP-713's names of strategies say more than those of the dialect.
   * Default yes.
   */
  readonly stanzas?: boolean;
}

/**
 * Returns why a layer lost a field, and which policy finally holds it.
 *
 * @param loss The loss, of a field or of the whole layer.
 * @param options The name of the strategy.
 * @returns The holder and the rule: `shop/patient is more specific (Patch defaults)`. If the lost parts have several holders,
 * the text lists them.
 */
export function formatLoss(loss: Loss<unknown>, { stanzas = true }: LossTextOptions = {}): string {
  return [...new Set(finalLosses(loss).map((final) => winnerOf(final, stanzas)))].join(', ');
}

function winnerOf(loss: Loss<unknown>, stanzas: boolean): string {
  const name = stanzas || loss.because !== undefined ? undefined : loss.dialectName;
  return `${describeRule(loss)} (${name ?? describeStrategy(loss)})`;
}

/** Returns the names of policies as a list. */
export function policiesOf(layers: readonly ContextLayer<unknown>[]): string {
  return [...new Set(layers.map(({ policy }) => policy.name))].join(' and ');
}
