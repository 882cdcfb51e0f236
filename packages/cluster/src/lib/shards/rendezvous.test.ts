import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownerOf } from './rendezvous.ts';

const members = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 12 });
const keys = Array.from(
  { length: 3000 },
  (_, index) => `gateway.gateway.networking.k8s.io:shop-${index % 40}/edge-${index}`,
);

describe('the owner of a key', () => {
  it('is one of the members, and the same for all who know the same members', () => {
    fc.assert(
      fc.property(fc.string(), members, (key, some) => {
        const owner = ownerOf(key, some);
        expect(some).toContain(owner);
        expect(ownerOf(key, [...some].reverse())).toBe(owner);
        expect(ownerOf(key, [...some].sort())).toBe(owner);
      }),
    );
    expect(ownerOf('any', [])).toBeUndefined();
  });

  it('stays when another member comes or goes', () => {
    fc.assert(
      fc.property(fc.string(), members, (key, some) => {
        const owner = ownerOf(key, some);
        for (const gone of some) {
          const left = some.filter((it) => it !== gone);
          if (gone !== owner) expect(ownerOf(key, left)).toBe(owner);
        }
        const more = ownerOf(key, [...some, 'one more member than before']);
        expect([owner, 'one more member than before']).toContain(more);
      }),
    );
  });

  it.each([1, 2, 3, 4, 7, 15])('moves to a new member for about its share of the keys, beside %i others', (count) => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, maxLength: 12 }), (prefix) => {
        const some = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
        const moved = keys.filter((key) => ownerOf(key, some) !== ownerOf(key, [...some, `${prefix}-new`]));
        const expected = keys.length / (count + 1);
        expect(moved.length).toBeGreaterThan(expected * 0.6);
        expect(moved.length).toBeLessThan(expected * 1.4);
      }),
      { numRuns: 20 },
    );
  });

  it('is each of the members for about as many keys', () => {
    const some = ['controller-7d9f_1', 'controller-7d9f_2', 'controller-7d9f_3'];
    const counts = some.map((member) => keys.filter((key) => ownerOf(key, some) === member).length);
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
