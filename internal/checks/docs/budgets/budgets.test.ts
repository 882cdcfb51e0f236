import { describe, expect, it } from 'vitest';
import data from './budgets.json' with { type: 'json' };
import { type Budgets, isWithin, limitOf, lowered, occurrencesOf, phrases, readPages, wordsOf } from './budgets.ts';

const budgets: Budgets = data;
const pages = readPages();
const remedy = 'shorten it, or add a raise with a reason to budgets.json';

describe('the words of pages', () => {
  it('are within their budgets', () => {
    const over = Array.from(pages, ([path, text]) => [path, wordsOf(text), limitOf(path, budgets)] as const)
      .filter(([, words, most]) => words > most)
      .map(([path, words, most]) => `${path} has ${words} words, of at most ${most}: ${remedy}`);
    expect(pages.size).toBeGreaterThan(50);
    expect(over).toEqual([]);
  });
});

describe('the phrases of all pages together', () => {
  it.each(phrases)('$name: within its limit', (phrase) => {
    const occurrences = occurrencesOf(phrase, pages.values());
    const limit = limitOf(phrase.name, budgets);
    expect({ limit, ...occurrences, isWithin: isWithin(limit, phrase, occurrences) }).toMatchObject({ isWithin: true });
  });
});

describe('budgets', () => {
  it('are about pages and phrases that exist', () => {
    const known = new Set([...pages.keys(), ...phrases.map(({ name }) => name)]);
    const named = [
      ...Object.keys(budgets.words),
      ...Object.keys(budgets.phrases),
      ...budgets.raises.map(({ of }) => of),
    ];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('are raised for a reason', () => {
    expect(budgets.raises.filter(({ reason }) => reason.trim() === '')).toEqual([]);
  });

  const tight: Budgets = { words: { 'a.md': 3, 'b.md': 9 }, phrases: { what: 400, must: 0 }, raises: [] };

  it('fall to the present counts, and never rise', () => {
    const { words } = lowered(
      tight,
      new Map([
        ['a.md', 'one two three four'],
        ['b.md', 'one two'],
      ]),
    );
    expect(words).toEqual({ 'a.md': 3, 'b.md': 2 });
  });

  it('take raises in, and no budget for a new page without one', () => {
    const raises = [{ of: 'a.md', by: 2, reason: 'an example' }];
    const counted = new Map([
      ['a.md', 'one two three four'],
      ['new.md', 'one'],
    ]);
    expect(lowered({ ...tight, raises }, counted)).toMatchObject({ words: { 'a.md': 4, 'new.md': 0 }, raises: [] });
  });

  it('of phrases fall, and for wanted phrases rise up to their goals', () => {
    const after = lowered(tight, new Map([['a.md', 'You must say what it is, and what for.']])).phrases;
    expect(after).toMatchObject({ what: 2, must: 2 });
  });

  it('allow an unwanted phrase within its goal, whatever its count', () => {
    const [what] = phrases;
    expect(what && isWithin(3, what, { count: 4, rate: what.goal })).toBe(true);
    expect(what && isWithin(3, what, { count: 4, rate: what.goal + 1 })).toBe(false);
  });

  it('do not count phrases in code', () => {
    const [what] = phrases;
    expect(what && occurrencesOf(what, ['Text.\n```ts\nwhat;\n```\n<!-- what -->\n']).count).toBe(0);
  });
});

describe('docs/semantics.md', () => {
  it('has at most 25 words in each cell of a table', () => {
    const rows = (pages.get('docs/semantics.md') ?? '').split('\n').filter((line) => line.trimStart().startsWith('|'));
    expect(rows).not.toEqual([]);
    const cells = rows.flatMap((row) => row.trim().slice(1, -1).split(' | '));
    expect(cells.filter((cell) => wordsOf(cell) > 25)).toEqual([]);
  });
});
