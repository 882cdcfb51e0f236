import { expect, it } from 'vitest';
import { formatParagraphs } from './paragraphs.ts';

it('has an empty line between each two paragraphs, and a line break at the end', () => {
  expect(formatParagraphs([['a', '', 'b'], ['c']])).toBe('a\nb\n\nc\n');
});
