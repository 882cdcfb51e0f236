import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from '../files.ts';
import { published, umbrella } from '../packages.ts';

/** The built file of each entry, by its name. The package that holds all others adds nothing to them. */
export const builtEntries: ReadonlyMap<string, string> = new Map(
  published
    .filter(({ manifest }) => manifest.name !== umbrella)
    .flatMap(({ folder, entries }) =>
      Array.from(entries, ([name, source]) => {
        return [name, `${root}${folder}/dist/${source.slice('./src/'.length, -'ts'.length)}js`] as const;
      }),
    ),
);

/** Returns the bytes that each entry adds to a bundle, minified and compressed, without dependencies, in hundreds rounded up. */
export async function countBytes(): Promise<Readonly<Record<string, number>>> {
  const sizes = Array.from(builtEntries, async ([name, file]) => {
    return [name, Math.ceil((await sizeOf(file)) / 100) * 100] as const;
  });
  return Object.fromEntries(await Promise.all(sizes));
}

async function sizeOf(file: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: 'esm',
    packages: 'external',
    platform: 'node',
    write: false,
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}
