import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { filesOf, root } from '../../checks/files.ts';

/** The documents of the site, by their path in the repository, with the path of their page: `packages/cli/README.md`, `packages/cli/index.md`. */
export const pages: ReadonlyMap<string, string> = new Map(
  filesOf(
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'docs/*.md',
    'packages/*/README.md',
    'examples/*/README.md',
  ).map((path) => [path, path === 'README.md' ? 'overview.md' : path.replace(/README\.md$/, 'index.md')]),
);

/** Pictures that documents show. */
export const pictures: readonly string[] = filesOf('packages/*/*.svg', 'docs/*.svg', 'docs/*.png');

/**
 * Returns where a link of a document leads on the site.
 *
 * @param from The path of the document in the repository.
 * @param target The link as the document has it.
 * @param repository The address of the repository on the web, if it is known.
 * @returns The link: to a page, to a file of the repository on the web, or to another site; `undefined` for a file whose address is not known.
 */
export function linkOnSite(from: string, target: string, repository: string | undefined): string | undefined {
  if (/^(?:#|[a-z][a-z0-9+.-]*:)/i.test(target)) return target;
  const [path = '', fragment] = target.split('#');
  const file = posix.normalize(posix.join(posix.dirname(from), decodeURI(path)));
  const isFolder = existsSync(root + file) && statSync(root + file).isDirectory();
  const page = pages.get(isFolder ? posix.join(file, 'README.md') : file);
  const hash = fragment === undefined ? '' : `#${fragment}`;
  if (page !== undefined) return `/${page.replace(/(?:index)?\.md$/, '')}${hash}`;
  return repository === undefined ? undefined : `${repository}/${isFolder ? 'tree' : 'blob'}/HEAD/${file}${hash}`;
}

/** Returns the path of the document that a page is made from. */
export function sourceOf(page: string): string | undefined {
  return [...pages].find(([, path]) => path === page)?.[0];
}
