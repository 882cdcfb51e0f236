import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../files.ts';
import data from './promises.json' with { type: 'json' };

/** The tests that show a promise. */
interface Shown {
  /** The titles of tests, or of groups of tests, by file. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
  /** Why no test with a real source, such as an API server, shows it. */
  readonly withoutSource?: string;
}

const pages: Readonly<Record<string, Readonly<Record<string, Shown>>>> = data;

/** The pages of promises about the outside world. */
const pagesAboutSources = ['docs/running-a-controller.md'];

/** Returns the ids of the rows of all tables of a page that make promises, in order. */
function idsIn(page: string): readonly string[] {
  let isInTable = false;
  return readFileSync(join(root, page), 'utf8')
    .split('\n')
    .flatMap((text) => {
      const isHeading = / when \| then \|/.test(text);
      if (isHeading) isInTable = true;
      else if (!text.startsWith('|')) isInTable = false;
      if (!isInTable || isHeading || text.startsWith('|-')) return [];
      return [text.slice(2).split(' | ')[0] ?? ''];
    });
}

/** Whether a file has a test, or a group of tests, of that title. */
function hasTest(path: string, title: string): boolean {
  if (!existsSync(join(root, path))) return false;
  const text = readFileSync(join(root, path), 'utf8');
  return text.includes(`'${title}',`) || text.includes(`"${title}",`);
}

describe.each(Object.entries(pages))('the promises of %s', (page, promises) => {
  it('each have an id, which is also in promises.json', () => {
    const ids = idsIn(page);
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.filter((id) => !/^[a-z]+-\d+$/.test(id))).toEqual([]);
    expect(ids).toEqual(Object.keys(promises));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are each shown by tests', () => {
    const countOf = ({ tests }: Shown) => Object.values(tests).flat().length;
    expect(Object.keys(promises).filter((id) => countOf(promises[id] ?? { tests: {} }) === 0)).toEqual([]);
  });

  it('name tests that exist', () => {
    const missing = Object.entries(promises).flatMap(([id, { tests }]) =>
      Object.entries(tests).flatMap(([path, titles]) =>
        titles.filter((title) => !hasTest(path, title)).map((title) => `${id}: ${path}: ${title}`),
      ),
    );
    expect(missing).toEqual([]);
  });
});

describe.each(pagesAboutSources)('the promises of %s about the outside world', (page) => {
  it('are each shown with a real source, except for those with a reason', () => {
    const promises = Object.entries(pages[page] ?? {});
    expect(promises).not.toEqual([]);
    const isReal = ({ tests }: Shown) => Object.keys(tests).some((path) => path.startsWith('internal/e2e/'));
    const idsOf = (has: (shown: Shown) => boolean) => promises.filter(([, it]) => has(it)).map(([id]) => id);
    expect(idsOf((it) => !isReal(it))).toEqual(idsOf(({ withoutSource }) => withoutSource !== undefined));
  });
});
