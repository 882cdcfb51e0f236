import { describe, expect, it } from 'vitest';
import { growthOf } from './growth.ts';

describe('growthOf', () => {
  it('is none where a figure only goes up and down, or up in the first quarter', () => {
    expect(growthOf([1, 5, 9, 10, 10.5, 9.5, 10, 10, 10, 9.5, 10.5, 10])).toBe(0);
  });

  it('is the growth of a figure from the second quarter to the last', () => {
    expect(growthOf(Array.from({ length: 40 }, (_, index) => 100 + index))).toBeCloseTo(20 / 115, 5);
  });

  it('needs four samples', () => {
    expect(() => growthOf([1, 1, 1])).toThrow(RangeError);
  });
});
