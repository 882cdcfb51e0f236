import { describe, expect, it } from 'vitest';
import { countWords, phrases, rateOf, readPages, wordsOf } from './documents.ts';
import { textsIn, titlesIn } from './texts.ts';

const pages = readPages();

describe('the phrases of all pages together', () => {
  it.each(phrases.filter(({ isWanted }) => !isWanted))('$name: at most $goal per 1,000 words', (phrase) => {
    expect(rateOf(phrase, pages.values())).toBeLessThanOrEqual(phrase.goal);
  });

  it.each(phrases.filter(({ isWanted }) => isWanted))('$name: at least $goal per 1,000 words', (phrase) => {
    expect(rateOf(phrase, pages.values())).toBeGreaterThanOrEqual(phrase.goal);
  });

  it('are not counted in code and comments', () => {
    const [what] = phrases;
    expect(what && rateOf(what, ['Text.\n```ts\nwhat;\n```\n<!-- what -->\n'])).toBe(0);
    expect(what && rateOf(what, ['Say what it is, and what for.'])).toBeCloseTo(2000 / 7);
  });
});

describe('the pages that people write', () => {
  it('have at most 75,000 words', () => {
    const sum = Array.from(countWords(pages).values()).reduce((total, words) => total + words, 0);
    expect(sum).toBeGreaterThan(10_000);
    expect(sum).toBeLessThanOrEqual(75_000);
  });

  it('exclude generated pages', () => {
    expect(
      countWords(
        new Map([
          ['docs/systems.md', 'a b'],
          ['README.md', 'a b c'],
        ]),
      ),
    ).toEqual(new Map([['README.md', 3]]));
  });
});

describe('the texts in a source', () => {
  it('are comments, and literals with several words', () => {
    const template = ['`is no $', "{name('what')} at all`"].join('');
    const text = `import 'a';\n/** Says what. */\nfail('what it is', ${template}); // whose\n`;
    expect(textsIn('source.ts', text)).toEqual({
      messages: ['what it is', 'is no … at all'],
      comments: ['/** Says what. */', '// whose'],
    });
  });
});

describe('the titles in a test file', () => {
  it('belong to describe and it, in all forms', () => {
    const text =
      "describe.each(rows)('the rows', () => it('are one', () => fail('no title')));\nit.each`a`(`are all`);";
    expect(titlesIn('a.test.ts', text)).toEqual(['the rows', 'are one', 'are all']);
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
