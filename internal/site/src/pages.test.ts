import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../../checks/files.ts';
import { findingPages } from './finding-pages.ts';
import { linkOnSite, pages, sourceOf } from './pages.ts';

const web = 'https://code.example.com/policy-machinery';

describe('linkOnSite', () => {
  it.each([
    ['docs/status.md', 'concepts.md#paths', '/docs/concepts#paths'],
    ['docs/README.md', '../packages/crd', '/packages/crd/'],
    ['packages/crd/README.md', '../../docs/', '/docs/'],
    ['packages/crd/README.md', '../../README.md', '/overview'],
    ['README.md', 'examples/quickstart', '/examples/quickstart/'],
    ['README.md', 'https://example.com/a', 'https://example.com/a'],
    ['README.md', '#packages', '#packages'],
    ['README.md', 'LICENSE', `${web}/blob/HEAD/LICENSE`],
    ['examples/quickstart/README.md', 'manifests', `${web}/tree/HEAD/examples/quickstart/manifests`],
    ['CONTRIBUTING.md', 'internal/e2e', `${web}/tree/HEAD/internal/e2e`],
  ])('leads from %s by %s to %s', (from, target, expected) => {
    expect(linkOnSite(from, target, web)).toBe(expected);
  });

  it('leads nowhere for files of a repository at an unknown address', () => {
    expect(linkOnSite('README.md', 'LICENSE', undefined)).toBeUndefined();
  });
});

describe('pages', () => {
  it('are one for each document of users, and its document is found again', () => {
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining(['README.md', 'docs/ci.md', 'packages/cli/README.md', 'SECURITY.md']),
    );
    expect([...pages.keys()].filter((path) => /^internal|CHANGELOG|node_modules/.test(path))).toEqual([]);
    for (const [document, page] of pages) expect(sourceOf(page)).toBe(document);
  });
});

describe('the search', () => {
  const sections = [
    ...[...pages.keys()].map((path) => readFileSync(root + path, 'utf8')),
    ...findingPages().values(),
  ].flatMap((text) => text.toLowerCase().split(/^#+ /m));

  it.each(['btp', 'unprotected routes', 'not-in-any-path'])('finds a section with all words of %s', (words) => {
    const all = words.split(' ').map((word) => new RegExp(`\\b${word}\\b`));
    expect(sections.filter((section) => all.every((word) => word.test(section)))).not.toEqual([]);
  });
});
