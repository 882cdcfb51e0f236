import { describe, expect, it } from 'vitest';
import { median, medians, percentile } from './measure.ts';

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[10, 9, 1, 2], 9],
    [[7], 7],
  ])('of %j is %d', (values, expected) => expect(median(values)).toBe(expected));

  it('throws for no values', () => expect(() => median([])).toThrow(RangeError));
});

describe('percentile', () => {
  const toHundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it.each([
    [99, 100],
    [90, 91],
    [0, 1],
  ])('%d of the numbers from 1 to 100 is %d', (percent, expected) => {
    expect(percentile(toHundred, percent)).toBe(expected);
  });
});

describe('medians', () => {
  it('is the median of each field', () => {
    const runs = [
      { parse: 1, load: 30 },
      { parse: 3, load: 10 },
      { parse: 2, load: 20 },
    ];
    expect(medians(runs)).toEqual({ parse: 2, load: 20 });
  });
});
