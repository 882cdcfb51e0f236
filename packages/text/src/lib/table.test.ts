import { describe, expect, it } from 'vitest';
import { formatColumns, formatTable, widestRow } from './table.ts';

describe('formatTable', () => {
  it('aligns columns by their widest cell, without trailing spaces', () => {
    const rows = [
      ['a', 'bbb', 'c'],
      ['aaa', 'b'],
    ];
    expect(formatTable(rows, { indent: 2 })).toBe('  a    bbb  c\n  aaa  b');
  });

  it('leaves as much space between columns as you ask for', () => {
    expect(formatTable([['a', 'b', 'c']], { gap: 3 })).toBe('a   b   c');
  });

  it('escapes invisible characters, and keeps its own colours', () => {
    const red = (text: string) => `\u001b[31m${text}\u001b[39m`;
    expect(formatTable([['a\u001b[2J', ['b\n\u202e', red], 'c']])).toBe(
      'a\\u001b[2J  \u001b[31mb\\u000a\\u202e\u001b[39m  c',
    );
  });

  it('counts wide characters as a terminal shows them, and ignores colours', () => {
    const bold = (text: string) => `<b>${text}</b>`;
    const rows = [
      [['東', bold], 'x'],
      ['aa', 'x'],
    ] as const;
    expect(formatTable(rows)).toBe('<b>東</b>  x\naa  x');
  });
});

describe('widestRow', () => {
  it('aligns rows with others that were printed before', () => {
    const above = [
      ['a', 'bbb'],
      ['aaaa', 'b'],
    ];
    expect(formatTable([['x', 'y', 'z']], { alignedWith: widestRow(above) })).toBe('x     y    z');
  });
});

describe('formatColumns', () => {
  it('formats words row by row', () => {
    expect(formatColumns(['one', 'two', 'three'], 2)).toBe('one    two\nthree');
  });
});
