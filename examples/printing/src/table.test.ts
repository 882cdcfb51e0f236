import { describe, expect, it } from 'vitest';
import { columns, paragraphs, table } from './table.ts';

describe('table', () => {
  it('aligns columns by their longest text, and puts nothing behind the last one', () => {
    const rows = [
      ['a', 'bbb', 'c'],
      ['aaa', 'b'],
    ];
    expect(table(rows, 2)).toEqual(['  a    bbb  c', '  aaa  b']);
  });

  it('does not count colours', () => {
    const bold = (text: string) => `<b>${text}</b>`;
    expect(
      table(
        [
          [['a', bold], 'x'],
          ['aa', 'x'],
        ],
        0,
      ),
    ).toEqual(['<b>a</b>   x', 'aa  x']);
  });
});

describe('columns', () => {
  it('puts words into lines', () => {
    expect(columns(['one', 'two', 'three'], 2, 0)).toEqual(['one    two', 'three']);
  });
});

describe('paragraphs', () => {
  it('have an empty line between each two, and a line break at the end', () => {
    expect(paragraphs([['a', 'b'], ['c']])).toBe('a\nb\n\nc\n');
  });
});
