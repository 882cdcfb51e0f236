import { sameLevelOrder } from '@policy-machinery/conflict';
import type { Layer } from '@policy-machinery/policy-kind';
import type { Level } from './stack.ts';

/** A layer in its place in a context. */
export interface PlacedLayer<Spec> {
  readonly layer: Layer<Spec>;
  /** The target that its policy is attached to. */
  readonly level: Level<Spec>;
  /** Place of the level in the context; 0 is the least specific. */
  readonly depth: number;
  /** The layer whose strategy applies when this one meets what lies beneath it: itself, or an older one of its level. */
  readonly dictatedBy: Layer<Spec>;
}

/**
 * The layers of a context in the order in which they are merged: from the most specific level upwards, each established
 * over all before it (M-09).
 *
 * A policy that is met on several levels counts once: its defaults where they are most specific, its overrides where they
 * are least.
 */
export function layOut<Spec>(levels: readonly Level<Spec>[]): readonly PlacedLayer<Spec>[] {
  const all: PlacedLayer<Spec>[] = [];
  for (let depth = levels.length - 1; depth >= 0; depth -= 1) {
    const level = levels[depth] as Level<Spec>;
    for (const turn of level.turns) all.push({ ...turn, level, depth });
  }
  const first = new Map<Layer<Spec>, PlacedLayer<Spec>>();
  const last = new Map<Layer<Spec>, PlacedLayer<Spec>>();
  for (const placed of all) {
    if (!first.has(placed.layer)) first.set(placed.layer, placed);
    last.set(placed.layer, placed);
  }
  return all.filter((placed) => (placed.layer.stanza === 'defaults' ? first : last).get(placed.layer) === placed);
}

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
  'less-specific': 'is less specific and dictates',
  'override-over-default': 'overrides, the other is a default',
  older: 'is older',
  newer: 'is the newer one, to which older defaults yield',
  'first-by-name': 'is as old and first by name',
  'last-by-name': 'is as old and last by name, to which the first yields its defaults',
  'same-policy': 'comes later in the same policy',
};

/** Says why a layer prevailed, as the end of a sentence that begins with its policy: `is older`. */
export function describeRule(rule: Rule): string {
  return reasons[rule];
}

/** The rule by which a layer prevailed over another. */
export function ruleBetween<Spec>(winner: PlacedLayer<Spec>, loser: PlacedLayer<Spec>): Rule {
  if (winner.depth !== loser.depth) return winner.depth > loser.depth ? 'more-specific' : 'less-specific';
  if (winner.layer.stanza !== loser.layer.stanza) return 'override-over-default';
  if (winner.layer.policy === loser.layer.policy) return 'same-policy';
  const { established, rule } = sameLevelOrder.rank(winner.layer.policy, loser.layer.policy);
  if (rule === 'age') return established === winner.layer.policy ? 'older' : 'newer';
  return established === winner.layer.policy ? 'first-by-name' : 'last-by-name';
}
