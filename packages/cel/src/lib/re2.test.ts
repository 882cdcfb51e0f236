import { describe, expect, it } from 'vitest';
import { re2 } from './re2.ts';

describe('a regular expression', () => {
  it('matches a part of a text, or all of it', () => {
    const digits = re2('[0-9]+');
    expect([digits.matches('a1'), digits.matchesWhole('a1'), digits.matchesWhole('12')]).toEqual([true, false, true]);
  });

  it.each([
    ['\\s', '\u00a0', false],
    ['^.$', '\r', true],
    ['\\w', 'ſ', false],
    ['(?i)k', '\u212a', true],
    ['\\pL', 'é', true],
  ])('is one of RE2, not of JavaScript: %s in %j is %s', (pattern, text, answer) => {
    expect(re2(pattern).matches(text)).toBe(answer);
  });

  it.each(['(', 'a(?=b)', '(a)\\1', 'a{1001}', '(a{100}){100}', '('.repeat(2000)])(
    'is refused if RE2 refuses it: %.20s',
    (pattern) => {
      expect(() => re2(pattern)).toThrow(expect.objectContaining({ code: 'invalid-regular-expression' }));
    },
  );

  it.each([
    ['is long', 'a'.repeat(5000)],
    ['repeats much', 'x{0,1000}'.repeat(400)],
    ['ignores the letter case of a million characters, again and again', `(?i)${'[é-\u{10fffe}]'.repeat(200)}`],
    ['repeats what it repeats', '(a{1000}){1000}'],
    ['names properties of characters, again and again', '\\pL'.repeat(1000)],
  ])('is refused if it %s', (_what, pattern) => {
    expect(() => re2(pattern)).toThrow(expect.objectContaining({ code: 'costly-regular-expression' }));
  });

  it.each([
    ['^(a+)+$', 'a', '!'],
    ['^(a|a)*$', 'a', '!'],
    ['^(a|aa)+$', 'a', '!'],
    ['^([a-z]+.?)+$', 'a', '\n'],
    ['(.*a){12}b', 'a', 'c'],
    ['(x+x+)+y', 'x', 'z'],
  ])('takes time in proportion to a text, where backtracking would take years: %s', (pattern, repeated, end) => {
    const expression = re2(pattern);
    expect(expression.matches(repeated.repeat(10_000) + end)).toBe(false);
  });

  it('does not answer for a text that would take too long', () => {
    const costly = re2('[ab]*a[ab]{0,900}[cd]$');
    expect([costly.matches('ab'.repeat(100)), costly.matches('ab'.repeat(10_000))]).toEqual([false, undefined]);
    expect(costly.matchesWhole('ab'.repeat(10_000))).toBeUndefined();
    expect(costly.movesFor('ab')).toBeLessThan(costly.movesFor('abab'));
  });

  it('shortens a long pattern in its messages', () => {
    expect(() => re2('a'.repeat(5000))).toThrow(/^.{0,250}$/s);
  });
});
