import type { ContextLayer, Loss } from '@policy-machinery/effective-policy';
import { describe, expect, it } from 'vitest';
import { formatLoss } from './loss.ts';

const layerOf = (name: string) => ({ policy: { name } }) as ContextLayer<unknown>;
const loss = (parts: Partial<Loss<unknown>>): Loss<unknown> => ({
  layer: layerOf('shop/loser'),
  pointer: '/price',
  winners: [layerOf('shop/winner')],
  strategy: 'Patch defaults',
  dialectName: 'JSONMerge',
  rule: 'more-specific',
  ...parts,
});

describe('formatLoss', () => {
  it("names the winner, the rule and GEP-713's strategy", () => {
    expect(formatLoss(loss({}))).toBe('shop/winner is more specific (Patch defaults)');
  });

  it("uses the dialect's name of a strategy if GEP-713 has none, or if you ask for it", () => {
    expect(formatLoss(loss({ strategy: 'Custom' }))).toBe('shop/winner is more specific (JSONMerge)');
    expect(formatLoss(loss({}), { stanzas: false })).toBe('shop/winner is more specific (JSONMerge)');
  });

  it('names several winners, without duplicates', () => {
    const winners = ['shop/a', 'shop/b', 'shop/a'].map(layerOf);
    expect(formatLoss(loss({ winners }))).toBe('shop/a with shop/b is more specific (Patch defaults)');
  });

  it('reports that a condition does not hold if there is no winner', () => {
    expect(formatLoss(loss({ winners: [], rule: 'condition-not-met' }))).toBe(
      'its condition does not hold: nothing is there to meet it (Patch defaults)',
    );
  });
});
