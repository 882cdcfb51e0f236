import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lists } from './lists.ts';
import { PairMap } from './pair-map.ts';
import { Sequences } from './sequences.ts';

const number = fc.nat({ max: 40 });
const lists = fc.array(fc.array(number, { maxLength: 6 }), { minLength: 1, maxLength: 300 });

describe('PairMap', () => {
  it('has for each pair the value that was set last, like a Map of texts', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number, fc.nat()), { minLength: 1, maxLength: 400 }), (entries) => {
        const map = new PairMap();
        const expected = new Map<string, number>();
        for (const [first, second, value] of entries) {
          expect(map.set(first, second, value)).toBe(value);
          expected.set(`${first} ${second}`, value);
        }
        for (let first = 0; first <= 40; first += 1)
          for (let second = 0; second <= 40; second += 1)
            expect(map.get(first, second)).toBe(expected.get(`${first} ${second}`));
      }),
      { numRuns: 20 },
    );
  });
});

describe('Lists', () => {
  it('has one number for equal lists, and different numbers for different ones', () => {
    fc.assert(
      fc.property(lists, (all) => {
        const interned = new Lists<number, number>();
        const ids = all.map((items) => items.reduce((list, item) => interned.push(list, item), interned.empty));
        expect(ids.map((id) => interned.items(id))).toEqual(all);
        expect(new Set(ids).size).toBe(new Set(all.map(String)).size);
      }),
    );
  });

  it('visits a list and all lists that begin with it', () => {
    fc.assert(
      fc.property(lists, (all) => {
        const interned = new Lists<number, number>();
        for (const items of all) items.reduce((list, item) => interned.push(list, item), interned.empty);
        const known = new Set(
          [...all, []].flatMap((items) => [...items, -1].map((_, end) => String(items.slice(0, end)))),
        );
        for (const start of all) {
          const visited: string[] = [];
          const from = start.reduce((list, item) => interned.push(list, item), interned.empty);
          interned.someFrom(from, (list) => visited.push(String(interned.items(list))) < 0);
          const isBelow = (it: string) => it === String(start) || start.length === 0 || it.startsWith(`${start},`);
          expect(visited.toSorted()).toEqual([...known].filter(isBelow).toSorted());
        }
      }),
      { numRuns: 20 },
    );
  });

  it('stops at the first list that is meant', () => {
    const interned = new Lists<number, number>();
    const list = interned.push(interned.push(interned.empty, 1), 2);
    let visited = 0;
    expect(interned.someFrom(interned.empty, () => ++visited === 2)).toBe(true);
    expect(visited).toBe(2);
    expect(interned.someFrom(list, () => false)).toBe(false);
  });
});

describe('Sequences', () => {
  it('has one number for equal sequences, and different numbers for different ones', () => {
    fc.assert(
      fc.property(lists, (all) => {
        const interned = new Sequences<number, number>();
        const ids = all.map((items) => interned.of(items));
        expect(ids.map((id) => interned.items(id))).toEqual(all);
        expect(ids.map((id) => interned.lengthOf(id))).toEqual(all.map(({ length }) => length));
        expect(new Set(ids).size).toBe(new Set(all.map(String)).size);
      }),
    );
  });

  it('keeps thousands of sequences apart', () => {
    const interned = new Sequences<number, number>();
    const all = Array.from({ length: 5_000 }, (_, index) => [index % 7, index, index % 3]);
    const ids = all.map((items) => interned.of(items));
    expect(new Set(ids).size).toBe(5_000);
    expect(all.map((items) => interned.of(items))).toEqual(ids);
    expect(ids.map((id) => interned.items(id))).toEqual(all);
  });
});
