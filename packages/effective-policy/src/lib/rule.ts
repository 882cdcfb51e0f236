import { sameLevelOrder } from '@policy-machinery/conflict';
import type { PlacedLayer } from './layout.ts';

/** Why one of two layers prevailed over the other. */
export type Rule =
  | 'more-specific'
  | 'less-specific'
  | 'override-over-default'
  | 'older'
  | 'newer'
  | 'first-by-name'
  | 'last-by-name'
  | 'same-policy';

/** Each rule as the end of a sentence that begins with the winner. */
const reasons: Readonly<Record<Rule, string>> = {
  'more-specific': 'is more specific',
  'less-specific': 'is less specific and overrides',
  'override-over-default': 'overrides, the other is a default',
  older: 'is older',
  newer: 'is the newer one, to which older defaults yield',
  'first-by-name': 'is as old and first by name',
  'last-by-name': 'is as old and last by name, to which the first yields its defaults',
  'same-policy': 'comes later in the same policy',
};

/**
 * Says why a layer prevailed over another.
 *
 * @param rule The rule of a loss.
 * @returns The end of a sentence that begins with the policy that won: `is older`.
 */
export function describeRule(rule: Rule): string {
  return reasons[rule];
}

/** The rule by which a layer prevailed over another when they were merged. */
export function ruleBetween<Spec>(winner: PlacedLayer<Spec>, loser: PlacedLayer<Spec>): Rule {
  if (winner.depth !== loser.depth) return winner.depth > loser.depth ? 'more-specific' : 'less-specific';
  if (winner.layer.stanza === 'overrides' && loser.layer.stanza === 'defaults') return 'override-over-default';
  return winner.layer.policy === loser.layer.policy ? 'same-policy' : ruleByAge(winner, loser);
}

/** The rule by which the age or the name of their policies decides between two layers. */
export function ruleByAge<Spec>(winner: PlacedLayer<Spec>, loser: PlacedLayer<Spec>): Rule {
  const { established, rule } = sameLevelOrder.rank(winner.layer.policy, loser.layer.policy);
  const isEstablished = established === winner.layer.policy;
  if (rule === 'age') return isEstablished ? 'older' : 'newer';
  return isEstablished ? 'first-by-name' : 'last-by-name';
}

/** The oldest first, then by name. */
export function compareAge<Spec>(a: PlacedLayer<Spec>, b: PlacedLayer<Spec>): number {
  return sameLevelOrder.compare(a.layer.policy, b.layer.policy);
}
