import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatIssue, type Issue, PolicyMachineryError, printable } from '../index.ts';
import { printableLines } from '../inner.ts';

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...'\u0000\u0007\b\t\n\r\u001b\u007f\u0085\u009b\u00ad\u200b\u200d\u202e\u2028\u2066\u2069\ufeff[]2Jab"\\',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

describe('printable', () => {
  it.each([
    ['a line break', 'a\nb\r', 'a\\u000ab\\u000d'],
    ['an escape sequence', '\u001b[31mred', '\\u001b[31mred'],
    ['an escape sequence of C1', '\u009b2J', '\\u009b2J'],
    ['a bell, a backspace and a delete', '\u0007\b\u007f', '\\u0007\\u0008\\u007f'],
    ['an override of the direction', '\u202Egnp.exe', '\\u202egnp.exe'],
    ['isolates of the direction', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['separators of lines', '\u2028\u2029', '\\u2028\\u2029'],
    ['what has no width', 'a\u200Bb\uFEFF', 'a\\u200bb\\ufeff'],
    ['tags', '\u{E0041}', '\\u{e0041}'],
    ['half a character', '\uD800a', '\\ud800a'],
  ])('escapes %s', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it.each(['', 'shop/cart#admin → "é"', 'emoji 🚀', '日本語', 'a\\nb'])('leaves %j unchanged', (text) => {
    expect(printable(text)).toBe(text);
  });

  it('leaves no invisible characters in any text, issue or error, except line breaks between issues', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const position = { source: text, line: 1, column: 1 };
        const issue: Issue = {
          code: 'x',
          severity: 'error',
          message: text,
          resource: text,
          pointer: `/${text}`,
          position,
        };
        expect(printable(text)).not.toMatch(unseen);
        expect(printable(printable(text))).toBe(printable(text));
        expect(printableLines(text).replaceAll('\n', '')).not.toMatch(unseen);
        expect(formatIssue(issue)).not.toMatch(unseen);
        expect(new PolicyMachineryError('x', 'Wrong', [issue]).message.split('\n')).toHaveLength(2);
        expect(new PolicyMachineryError('x', text).message.replaceAll('\n', '')).not.toMatch(unseen);
      }),
    );
  });
});
