import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from './random.ts';

const letters = ['a', 'b', 'c', 'd'];

describe('createRandom', () => {
  it('gives the same numbers for the same seed, and others for another', () => {
    const numbers = (seed: number) => {
      const { int } = createRandom(seed);
      return Array.from({ length: 20 }, () => int(1000));
    };
    expect(numbers(7)).toEqual(numbers(7));
    expect(numbers(7)).not.toEqual(numbers(8));
  });

  it('gives whole numbers below the limit, every one of them', () => {
    const { int } = createRandom(1);
    expect([...new Set(Array.from({ length: 200 }, () => int(4)))].sort()).toEqual([0, 1, 2, 3]);
  });

  it('shuffles a copy', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.integer()), (seed, list) => {
        const before = [...list];
        const shuffled = createRandom(seed).shuffle(list);
        expect(list).toEqual(before);
        expect(shuffled.sort()).toEqual(before.sort());
      }),
    );
    expect(createRandom(1).shuffle(letters)).not.toEqual(letters);
  });

  it.each([
    ['pick', (random: Random) => random.pick(letters), { a: 0.25, d: 0.25 }],
    ['pickSkewed', (random: Random) => random.pickSkewed(letters), { a: 0.5, d: 0.134 }],
  ] as const)('%s chooses the first and the last item as often as it says', (_, pick, shares) => {
    const random = createRandom(3);
    const picked = Array.from({ length: 4000 }, () => pick(random));
    for (const [letter, share] of Object.entries(shares)) {
      expect(picked.filter((it) => it === letter).length / 4000).toBeCloseTo(share, 1);
    }
  });

  it('chooses by weight', () => {
    const { pickWeighted } = createRandom(3);
    const items = [
      { name: 'never', weight: 0 },
      { name: 'often', weight: 9 },
      { name: 'rarely', weight: 1 },
    ];
    const picked = Array.from({ length: 1000 }, () => pickWeighted(items).name);
    expect(picked).not.toContain('never');
    expect(picked.filter((name) => name === 'rarely').length / 1000).toBeCloseTo(0.1, 1);
  });

  it.each([
    ['pick', (random: Random) => random.pick([])],
    ['pickSkewed', (random: Random) => random.pickSkewed([])],
    ['pickWeighted', (random: Random) => random.pickWeighted([])],
  ] as const)('%s refuses an empty list', (_, pick) => {
    expect(() => pick(createRandom(1))).toThrow(RangeError);
  });
});
