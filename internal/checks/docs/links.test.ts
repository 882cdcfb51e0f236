import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../files.ts';
import { type Document, documents } from './markdown.ts';

const byPath = new Map(documents().map((document) => [document.path, document]));

/** What is wrong with a link, if anything. Links to other hosts are not followed: tests need no network. */
function fault(document: Document, target: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target))
    return /^(https:\/\/[^/]+\.[^/]+|mailto:.+@)/.test(target) ? undefined : 'is no https or mailto link';
  const [path = '', fragment] = decodeURI(target).split('#');
  const file = path === '' ? document.path : posix.join(posix.dirname(document.path), path);
  if (path.startsWith('/') || file.startsWith('..')) return 'leads out of the repository';
  if (!existsSync(root + file)) return 'leads to no file';
  if (fragment === undefined) return undefined;
  const readme = statSync(root + file).isDirectory() ? posix.join(file, 'README.md') : file;
  return byPath.get(readme)?.anchors.has(fragment) ? undefined : 'names no heading';
}

describe('links', () => {
  it.each([...byPath])('of %s lead somewhere', (_path, document) => {
    const faults = document.links.flatMap(({ line, target }) => {
      const what = fault(document, target);
      return what === undefined ? [] : [`line ${line}: ${target} ${what}`];
    });
    expect(faults).toEqual([]);
  });
});
