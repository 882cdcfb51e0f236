import { describe, expect, it } from 'vitest';
import { type Budgets, excesses, lowered, raised, risen } from './budgets.ts';
import { countAll } from './counts.ts';
import { builtEntries } from './sizes.ts';
import { committedBudgets, grownSources, readBudgets } from './versions.ts';

const budgets = readBudgets();

describe('the counts of the repository', () => {
  const counts = countAll();

  it('are within their budgets', () => {
    const faults = excesses(budgets, counts).map(({ group, name, count, limit }) => {
      const grown = grownSources(group, name);
      const growth = grown.length > 0 ? ` Grown: ${grown.join(', ')}.` : '';
      return `${group}: ${name}: ${count}, at most ${limit}.${growth} Remove some, or run npm run budgets -- --raise "the reason"`;
    });
    expect(faults).toEqual([]);
  });

  it('are all counted', () => {
    expect(Object.keys({ ...counts, bytes: {} })).toEqual(Object.keys(budgets.budgets));
    for (const group of [counts.engine, counts.packages, counts.words]) {
      expect(Object.values(group ?? {}).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(10_000);
    }
  });
});

describe('budgets.json', () => {
  it('has raises for a reason', () => {
    expect(budgets.raises.filter(({ reason, by }) => reason.trim() === '' || by <= 0)).toEqual([]);
  });

  it('has a size for each entry', () => {
    expect(Object.keys(budgets.budgets.bytes ?? {})).toEqual([...builtEntries.keys()]);
  });

  it('has only budgets that fell: move a rise to "raises", with a reason', () => {
    expect(committedBudgets().flatMap((earlier) => risen(earlier, budgets))).toEqual([]);
  });
});

const old: Budgets = {
  budgets: { packages: { casts: 9, types: 3 }, bytes: { core: 100 } },
  raises: [
    { group: 'packages', name: 'casts', by: 2, reason: 'a parser' },
    { group: 'packages', name: 'casts', by: 1, reason: 'a client' },
    { group: 'packages', name: 'exports', by: 4, reason: 'a new package' },
  ],
};

describe('excesses', () => {
  it.each([
    [{ casts: 12, types: 3, exports: 4 }, []],
    [{ casts: 13 }, [{ group: 'packages', name: 'casts', count: 13, limit: 12 }]],
    [{ functions: 1 }, [{ group: 'packages', name: 'functions', count: 1, limit: 0 }]],
  ])('of %j are above budget and raises', (packages, expected) => {
    expect(excesses(old, { packages })).toEqual(expected);
  });
});

describe('lowered', () => {
  it('leaves budgets that are used or exceeded, and groups without a count', () => {
    expect(lowered(old, { packages: { casts: 12, types: 5, exports: 4 } })).toEqual(old);
  });

  it('takes from the newest raise first, then from the budget', () => {
    expect(lowered(old, { packages: { casts: 10, types: 3, exports: 4 } }).raises).toEqual([
      { group: 'packages', name: 'casts', by: 1, reason: 'a parser' },
      old.raises[2],
    ]);
    expect(lowered(old, { packages: { casts: 7, types: 0, exports: 0 } })).toEqual({
      budgets: { packages: { casts: 7, types: 0 }, bytes: { core: 100 } },
      raises: [],
    });
  });

  it('removes names without a count', () => {
    expect(lowered(old, { packages: { types: 3 } })).toEqual({
      budgets: { packages: { types: 3 }, bytes: { core: 100 } },
      raises: [],
    });
  });
});

describe('raised', () => {
  it('adds a raise with the reason for each excess', () => {
    const counts = { packages: { casts: 15, types: 2 } };
    const after = raised(old, counts, 'a table');
    expect(after.raises.slice(3)).toEqual([{ group: 'packages', name: 'casts', by: 3, reason: 'a table' }]);
    expect(after.budgets).toEqual(old.budgets);
    expect(excesses(after, counts)).toEqual([]);
  });
});

describe('risen', () => {
  it('names budgets above earlier ones, raises aside', () => {
    const packages = { casts: 10, types: 2, exports: 1 };
    expect(risen(old, { budgets: { packages, words: { 'README.md': 9 } }, raises: old.raises })).toEqual([
      'packages: casts',
      'packages: exports',
    ]);
    expect(risen(old, old)).toEqual([]);
  });
});
