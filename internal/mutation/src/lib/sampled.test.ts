import { describe, expect, it } from 'vitest';
import { sampled } from './sampled.ts';

describe('sampled', () => {
  const items = Array.from({ length: 100 }, (_, index) => index);

  it('returns as many items as it is asked for, each once and in their order', () => {
    const chosen = sampled(items, 10, 1);
    expect(chosen).toHaveLength(10);
    expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
  });

  it('returns the same items for the same seed alone', () => {
    expect(sampled(items, 10, 1)).toEqual(sampled(items, 10, 1));
    expect(sampled(items, 10, 1)).not.toEqual(sampled(items, 10, 2));
  });
});
