import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../files.ts';

const heading = '| when | then | shown by |';

interface Promised {
  readonly line: number;
  readonly when: string;
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
      const [when = '', ...others] = text.slice(2).split(' | ');
      const named = others.at(-1) ?? '';
      const tests = [...named.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title = '', path = '']) => {
        return { title, path: join(root, dirname(page), path) };
      });
      return [{ line: index + 1, when, tests }];
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

/** The rows that no test with a real source shows, by page, each with the reason. */
const withoutSource: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/cluster.md': {
    'an answer is longer than 128 MiB, or a list has no end': 'the API server would have to store as much',
    'the API server asks for a delay': 'the delay is of minutes',
    'too many files are open': 'the limit is one of the process',
    'the time of day jumps, or differs between machines': 'the machine has one clock, which other programs use',
  },
  'docs/running-a-controller.md': {
    'a function of `watches` throws': 'the source is a function of the controller',
    '`contentOf` throws': 'the source is a function of the controller',
    'a function of a kind throws': 'the source is a function of the controller',
    '`onEffective` returns targets that the data plane has not taken': 'the source is a function of the controller',
    '`onEffective` does not return': 'the source is a function of the controller',
    '`onEffective` throws': 'the source is a function of the controller',
    "two replicas run, with `callOn: 'every-replica'`": 'the source is a function of the controller',
    'clocks of replicas differ, or go back': 'the machine has one clock, which other programs use',
  },
};

describe.each(Object.entries(withoutSource))('the promises of %s about the outside world', (page, exceptions) => {
  it('are each shown with a real source, but for those that have none', () => {
    const isReal = ({ path }: Promised['tests'][number]) => path.includes('/internal/e2e/');
    const without = promisesIn(page).filter(({ tests }) => !tests.some(isReal));
    expect(without.map(({ when }) => when)).toEqual(Object.keys(exceptions));
  });
});
