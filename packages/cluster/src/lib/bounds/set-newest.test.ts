import { expect, it } from 'vitest';
import { setNewest } from './set-newest.ts';

it('keeps as many entries as the limit says: those that were set last', () => {
  const map = new Map<string, number>();
  for (const [index, key] of ['a', 'b', 'c', 'a', 'd'].entries()) setNewest(map, key, index, 3);
  expect([...map]).toEqual([
    ['c', 2],
    ['a', 3],
    ['d', 4],
  ]);
});
