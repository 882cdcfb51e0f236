import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { withAbsoluteLinks } from './absolute-links.ts';
import { foldersOf } from './shipped.ts';

/** What pages say until the packages can be installed from npm. */
const noRelease = 'There is no release yet';

/**
 * Writes the address of the repository into each published package, from the `package.json` of the repository: into its own `package.json`, since npm
 * accepts a provenance only for the repository that a package names, and into the links of its README.
 *
 * @param root The folder of the repository.
 * @throws {Error} If the repository does not say its address, or a page says that there is no release.
 */
export function writeRepository(root: string): void {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (repository?.url === undefined) {
    const example = '"repository": { "type": "git", "url": "git+https://…" }';
    throw new Error(
      `package.json does not say where the repository is; add ${example}, as its provenance will name it`,
    );
  }
  const outdated = pagesOf(root).filter((page) => readFileSync(join(root, page), 'utf8').includes(noRelease));
  if (outdated.length > 0) throw new Error(`${outdated.join(', ')}: remove "${noRelease}", as this makes one`);
  for (const folder of foldersOf(root)) {
    const file = join(folder, 'package.json');
    const { license, repository: _before, ...manifest } = JSON.parse(readFileSync(file, 'utf8'));
    const { name, version, description, ...rest } = manifest;
    const located = { ...repository, directory: relative(root, folder) };
    const readme = join(folder, 'README.md');
    if (existsSync(readme)) {
      writeFileSync(readme, withAbsoluteLinks(readFileSync(readme, 'utf8'), repository.url, located.directory));
    }
    writeFileSync(
      file,
      `${JSON.stringify({ name, version, description, license, repository: located, ...rest }, null, 2)}\n`,
    );
  }
}

/** Returns the pages for users: the READMEs, and the Markdown files of `docs`. */
function pagesOf(root: string): readonly string[] {
  const readmes = ['README.md', ...foldersOf(root).map((folder) => join(relative(root, folder), 'README.md'))];
  const docs = existsSync(join(root, 'docs')) ? readdirSync(join(root, 'docs')).map((name) => join('docs', name)) : [];
  return [...readmes, ...docs.filter((page) => page.endsWith('.md'))].filter((page) => existsSync(join(root, page)));
}
