import { describe, expect, it } from 'vitest';
import type { ContextLayer } from '../fold/context-layer.ts';
import { describeLoss } from './describe-loss.ts';
import type { Loss } from './loss.ts';

const layerOf = (name: string) => ({ policy: { name } }) as ContextLayer<unknown>;
const loss = (parts: Partial<Loss<unknown>>): Loss<unknown> => ({
  layer: layerOf('shop/loser'),
  pointer: '/price',
  winners: [layerOf('shop/winner')],
  strategy: 'Patch defaults',
  dialectName: 'JSONMerge',
  rule: 'more-specific',
  holders: [],
  ...parts,
});

describe('describeLoss', () => {
  it("names the winner, the rule and GEP-713's strategy", () => {
    expect(describeLoss(loss({}))).toBe('shop/winner is more specific (Patch defaults)');
  });

  it("uses the dialect's name of a strategy if GEP-713 has none, or if you ask for it", () => {
    expect(describeLoss(loss({ strategy: 'Custom' }))).toBe('shop/winner is more specific (JSONMerge)');
    expect(describeLoss(loss({}), { stanzas: false })).toBe('shop/winner is more specific (JSONMerge)');
  });

  it('names several winners, without duplicates', () => {
    const winners = ['shop/a', 'shop/b', 'shop/a'].map(layerOf);
    expect(describeLoss(loss({ winners }))).toBe('shop/a with shop/b is more specific (Patch defaults)');
  });

  it('reports that a condition does not hold without a winner', () => {
    expect(describeLoss(loss({ winners: [], rule: 'condition-not-met' }))).toBe(
      'its condition does not hold: no policy below meets it (Patch defaults)',
    );
  });

  it('names the policies that set the field in the end, if the winners have lost it in turn', () => {
    const holders = ['shop/strict', 'shop/winner'].map(layerOf);
    expect(describeLoss(loss({ holders }))).toBe(
      'shop/winner is more specific (Patch defaults), finally set by shop/strict and shop/winner',
    );
    const [winner] = holders.slice(1);
    expect(describeLoss(loss({ winners: holders.slice(1), holders: winner === undefined ? [] : [winner] }))).toBe(
      'shop/winner is more specific (Patch defaults)',
    );
  });
});
