import { readdirSync } from 'node:fs';

/** Returns the paths of the sources in a folder, without tests. */
export function sourcesIn(root: string, folder: string): readonly string[] {
  return readdirSync(root + folder)
    .filter((name) => /^[\w-]+\.ts$/.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);
}
