import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../files.ts';

const heading = '| when | then | shown by |';

interface Promised {
  readonly line: number;
  /** The tests that a row names, each with its file. */
  readonly tests: readonly { readonly title: string; readonly path: string }[];
}

/** The rows of all tables of a page that name tests. */
function promisesIn(page: string): readonly Promised[] {
  let isInTable = false;
  return readFileSync(join(root, page), 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      if (text === heading) isInTable = true;
      else if (!text.startsWith('|')) isInTable = false;
      if (!isInTable || text === heading || text.startsWith('|-')) return [];
      const named = text.split(' | ').at(-1) ?? '';
      const tests = [...named.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title = '', path = '']) => {
        return { title, path: join(root, dirname(page), path) };
      });
      return [{ line: index + 1, tests }];
    });
}

/** Whether a file has a test, or a group of tests, of that title. */
function hasTest({ title, path }: Promised['tests'][number]): boolean {
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  return text.includes(`'${title}',`) || text.includes(`"${title}",`);
}

describe.each(['docs/cluster.md', 'docs/running-a-controller.md', 'docs/security.md'])('the promises of %s', (page) => {
  const promises = promisesIn(page);

  it('are made in tables that name tests', () => {
    expect(promises.length).toBeGreaterThan(20);
    expect(promises.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  it('name tests that exist', () => {
    const missing = promises.flatMap(({ line, tests }) =>
      tests.filter((test) => !hasTest(test)).map(({ title }) => `line ${line}: ${title}`),
    );
    expect(missing).toEqual([]);
  });
});
