import { expect, it } from 'vitest';
import { formatParagraphs } from './paragraphs.ts';

it('separates paragraphs by an empty line, and ends with a line break', () => {
  expect(formatParagraphs([['a', '', 'b'], ['c']])).toBe('a\nb\n\nc\n');
});
