import { describe, expect, it } from 'vitest';
import { formatWrapped } from './wrapped.ts';

describe('formatWrapped', () => {
  it('breaks the widest cells, and keeps rows that fit', () => {
    const rows = [
      ['NAME', 'SYSTEM', 'POLICIES'],
      ['a', 'a system with a name', '2'],
    ];
    expect(formatWrapped(rows, { width: 26 }).split('\n')).toEqual([
      'NAME  SYSTEM    POLICIES',
      'a     a system  2',
      '      with a',
      '      name',
    ]);
    expect(formatWrapped(rows, { width: 80 }).split('\n')).toHaveLength(2);
  });

  it('breaks between a kind and a name only if nothing else helps', () => {
    const row = ['HTTPRoute cart', 'in force in part'];
    expect(formatWrapped([row], { width: 24 })).toBe('HTTPRoute cart  in force\n                in part');
    expect(formatWrapped([row], { width: 16 })).toBe('HTTPRoute  in\ncart       force\n           in\n           part');
  });

  it('keeps long words whole, in lines that are wider', () => {
    expect(formatWrapped([['team/a-long-name', 'x']], { width: 10, indent: 2 })).toBe('  team/a-long-name  x');
  });

  it('continues a first cell below', () => {
    const below = (first: string) => first.replace('├─ ', '│');
    expect(formatWrapped([['├─ ', 'one two']], { width: 8, below })).toBe('├─  one\n│   two');
  });
});
