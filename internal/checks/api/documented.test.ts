import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesOf, root } from '../files.ts';

const textOf = (path: string): string => readFileSync(root + path, 'utf8');
const wordsIn = (text: string): readonly string[] => text.match(/\w+/g) ?? [];
const documents = ['README.md', 'docs/*.md', 'packages/*/README.md', 'examples/*.md', 'examples/*.ts'];

/** The exports of main entries, as the pages of surfaces declare them. Editors find matchers and their types in tests. */
const declarations = filesOf('packages/*/api.md').flatMap((path) =>
  textOf(path)
    .split(/^(?=## )/m)
    .filter((section) => !/^## `.*\/vitest`/.test(section))
    .flatMap((section) => section.split(/^(?=export )/m).slice(1))
    .map((text) => ({ path, text, name: /^export (?:declare )?(?:abstract )?\w+ (\w+)/.exec(text)?.[1] ?? text })),
);

/** Returns the words of documents and examples, and of the declarations of all exports among these, and so on. */
function wordsForUsers(): ReadonlySet<string> {
  const queue = filesOf(...documents).flatMap((path) => wordsIn(textOf(path)));
  const words = new Set<string>();
  for (const word of queue) {
    if (words.has(word)) continue;
    words.add(word);
    queue.push(...declarations.filter(({ name }) => name === word).flatMap(({ text }) => wordsIn(text)));
  }
  return words;
}

describe('the exports of main entries', () => {
  it('are in a document or example, or in the declaration of such an export; others belong to `inner` entries', () => {
    const words = wordsForUsers();
    expect(declarations.length).toBeGreaterThan(500);
    expect(declarations.filter(({ name }) => !words.has(name)).map(({ name, path }) => `${path}: ${name}`)).toEqual([]);
  });
});

describe('the exports of inner entries', () => {
  it('are imported by another package, or by a check or example', () => {
    const sources = filesOf('packages/*.ts', 'internal/*.ts', 'examples/*.ts').map((path) => ({
      path,
      text: textOf(path),
    }));
    const unused = filesOf('packages/*/src/inner.ts').flatMap((path) => {
      const [, name = ''] = path.split('/');
      const importers = sources.filter(({ text }) => text.includes(`@policy-machinery/${name}/inner'`));
      const words = new Set(
        importers.filter((it) => !it.path.startsWith(`packages/${name}/`)).flatMap(({ text }) => wordsIn(text)),
      );
      const names = [...textOf(path).matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) => wordsIn(list));
      expect(names).not.toEqual([]);
      return names.filter((it) => it !== 'type' && !words.has(it)).map((it) => `${path}: ${it}`);
    });
    expect(unused).toEqual([]);
  });
});
