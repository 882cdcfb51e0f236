import { describe, expect, it } from 'vitest';
import { sampled } from './sampled.ts';

describe('sampled', () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  const sample = (from: readonly number[], seed: number) => sampled(from, { count: 10, seed, keyOf: String });

  it('returns the requested number of items, each once and in their order', () => {
    const chosen = sample(items, 1);
    expect(chosen).toHaveLength(10);
    expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
  });

  it('returns the same items for the same seed alone', () => {
    expect(sample(items, 1)).toEqual(sample(items, 1));
    expect(sample(items, 1)).not.toEqual(sample(items, 2));
  });

  it('keeps the other items where one goes', () => {
    const [gone, ...rest] = sample(items, 1);
    const without = items.filter((item) => item !== gone);
    expect(sample(without, 1)).toEqual(expect.arrayContaining(rest));
  });

  it('tells items with the same key apart', () => {
    expect(sampled(['a', 'a', 'a'], { count: 2, seed: 1, keyOf: (item) => item })).toEqual(['a', 'a']);
  });
});
