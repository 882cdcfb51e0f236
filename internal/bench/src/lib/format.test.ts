import { describe, expect, it } from 'vitest';
import { fraction, ratio } from './format.ts';

describe('ratio', () => {
  it.each([
    [3.449, '3.4'],
    [0.2849, '0.28'],
    [1234, '1,200'],
    [2, '2'],
  ])('writes %d as %s', (value, text) => expect(ratio(value)).toBe(text));
});

describe('fraction', () => {
  it.each([
    [0.00042, '1/2,400'],
    [0.0999, '1/10'],
    [0.42, '0.42'],
    [12.3, '12'],
  ])('writes %d as %s', (value, text) => expect(fraction(value)).toBe(text));
});
