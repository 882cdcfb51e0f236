import { describe, expect, it } from 'vitest';
import { median, medians } from './measure.ts';

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[10, 9, 1, 2], 9],
    [[7], 7],
  ])('of %j is %d', (values, expected) => expect(median(values)).toBe(expected));

  it('of nothing there is none', () => expect(() => median([])).toThrow(RangeError));
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
