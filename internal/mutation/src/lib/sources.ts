import { readdirSync, statSync } from 'node:fs';

/** Returns the paths of the sources in a folder and its subfolders, without tests; a file is the only source of its own. */
export function sourcesIn(root: string, path: string): readonly string[] {
  if (statSync(root + path).isFile()) return [path];
  return readdirSync(root + path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:[\w-]+\/)*[\w-]+\.ts$/.test(name))
    .sort()
    .map((name) => `${path}/${name}`);
}
