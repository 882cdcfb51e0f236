import { describe, expect, it } from 'vitest';
import { commonExpressions } from './regular-expressions.ts';

describe('regular expressions of routes', () => {
  it.each<[string, string, string, boolean | undefined]>([
    ['matches', 'the whole text matches', '/cart/[0-9]+', true],
    ['does not match', 'no part of the text matches', '/basket', false],
    ['is not known', 'a part of the text matches', '/cart', undefined],
    ['is not known', 'only other engines understand the pattern', '/cart(?=/)', undefined],
    ['is not known', 'the pattern takes too long', 'x{0,1000}'.repeat(400), undefined],
  ])('%s if %s', (_answer, _why, pattern, expected) => {
    expect(commonExpressions()(pattern)('/cart/7')).toBe(expected);
  });

  it('take no more time for hostile patterns', () => {
    expect(commonExpressions()('(a+)+b')(`${'a'.repeat(1000)}!`)).toBe(false);
  });
});
