import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { withAbsoluteLinks } from './absolute-links.ts';
import { foldersOf } from './shipped.ts';

/**
 * Writes the address of the repository into each published package, from the `package.json` of the repository: into its own `package.json`, since npm
 * accepts a provenance only for the repository that a package names, and into the links of its README.
 *
 * @param root The folder of the repository.
 * @throws {Error} If the repository does not say its address.
 */
export function writeRepository(root: string): void {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (repository?.url === undefined) {
    const example = '"repository": { "type": "git", "url": "git+https://…" }';
    throw new Error(
      `package.json does not say where the repository is; add ${example}, as its provenance will name it`,
    );
  }
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
