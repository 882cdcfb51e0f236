import { describeRule, finalLosses, type Loss, type PlacedLayer } from '@policy-machinery/effective-policy';

/** How losses are told. */
export interface LossTextOptions {
  /**
   * Whether policies of the kind write defaults and overrides, so that GEP-713's names of strategies say more than those of the dialect.
   * Default yes.
   */
  readonly stanzas?: boolean;
}

/**
 * Says why a layer lost a field, and who holds it in the end.
 *
 * @param loss The loss, of a field or of all that the layer says.
 * @param options What names the strategy.
 * @returns The holder and the rule: `shop/patient is more specific (Patch defaults)`. Where the parts of what was lost have several
 * holders, one after the other.
 */
export function formatLoss(loss: Loss<unknown>, { stanzas = true }: LossTextOptions = {}): string {
  return [...new Set(finalLosses(loss).map((final) => winnerOf(final, stanzas)))].join(', ');
}

function winnerOf({ to, rule, strategy, dialectName }: Loss<unknown>, stanzas: boolean): string {
  const isNamedByDialect = strategy === 'Custom' || !stanzas;
  const name = (isNamedByDialect ? dialectName : undefined) ?? strategy;
  return `${reasonOf(to, rule)} (${name})`;
}

function reasonOf(to: readonly PlacedLayer<unknown>[], rule: Loss<unknown>['rule']): string {
  if (to.length > 0) return `${policiesOf(to, 'with')} ${describeRule(rule)}`;
  return rule === 'condition-not-met' ? 'its condition does not hold: nothing is there to meet it' : 'it is removed';
}

/** The names of policies, one after the other. */
export function policiesOf(layers: readonly PlacedLayer<unknown>[], conjunction = 'and'): string {
  return [...new Set(layers.map(({ policy }) => policy.name))].join(` ${conjunction} `);
}
