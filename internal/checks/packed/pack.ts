import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { root } from '../files.ts';
import { published } from '../packages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The tarball of each package, by its name. */
    readonly tarballs: Readonly<Record<string, string>>;
  }
}

/** Packs all packages that are published, as `pnpm publish` would. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-packed-'));
  const tarballs: Record<string, string> = {};
  for (const { folder: source, manifest } of published) {
    if (!existsSync(`${root}${source}/dist`)) throw new Error(`${source} is not built: run \`npm run build\` first`);
    const pack = ['--dir', root + source, 'pack', '--pack-destination', folder];
    execFileSync(`${root}node_modules/.bin/pnpm`, pack, { stdio: 'pipe' });
    const { name, version } = manifest;
    tarballs[name] = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  }
  project.provide('tarballs', tarballs);
  return () => rmSync(folder, { recursive: true });
}
