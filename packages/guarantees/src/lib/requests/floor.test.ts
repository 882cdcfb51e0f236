import { describe, expect, it } from 'vitest';
import { firstFinder, type MetMatch } from './floor.ts';

/** Matches that a request meets for certain, and of which no age is known. */
const met = Array.from({ length: 20 }, (_, place) => ({
  match: { place },
  dependsOn: undefined,
})) as unknown as MetMatch[];

describe('firstFinder', () => {
  it('returns all matches of unknown ages, and compares them once for all requests that meet the same ones', () => {
    let comparisons = 0;
    const firstAmong = firstFinder(() => {
      comparisons += 1;
      return 'age';
    });
    expect(firstAmong(met)).toEqual(met);
    expect(comparisons).toBe(190);
    expect(firstAmong([...met])).toEqual(met);
    expect(comparisons).toBe(190);
    expect(firstAmong(met.slice(1))).toEqual(met.slice(1));
    expect(comparisons).toBe(190 + 171);
  });
});
