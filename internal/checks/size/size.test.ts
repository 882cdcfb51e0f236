import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from '../files.ts';
import { published, umbrella } from '../packages.ts';
import { budget } from './budget.ts';

const entries = published
  .filter(({ manifest }) => manifest.name !== umbrella)
  .flatMap(({ folder, entries }) =>
    [...entries].map(([name, source]) => ({
      name,
      file: `${root}${folder}/dist/${source.slice('./src/'.length, -2)}js`,
    })),
  );

/** The only entry that needs graphology, which is as large as everything else together. */
const withGraphology = '@policy-machinery/topology/graph';

/** How many bytes of its own an entry adds to a bundle, compressed. */
async function sizeOf(file: string): Promise<number> {
  const options = {
    bundle: true,
    minify: true,
    format: 'esm',
    packages: 'external',
    platform: 'node',
    write: false,
    logLevel: 'error',
  } as const;
  const { outputFiles } = await build({ entryPoints: [file], ...options });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

describe('the size of packages', () => {
  it('is given for every entry', () => {
    expect(Object.keys(budget)).toEqual(entries.map(({ name }) => name));
  });

  it('is within the budget: minified and compressed, without dependencies', async () => {
    const rows = await Promise.all(
      entries.map(async ({ name, file }) => ({ name, bytes: await sizeOf(file), budget: budget[name] ?? 0 })),
    );
    const table = rows.map(({ name, bytes, budget }) => `${name.padEnd(36)} ${bytes} of ${budget} bytes`);
    console.log(table.join('\n'));
    expect(table.filter((_row, index) => (rows[index]?.bytes ?? 0) > (rows[index]?.budget ?? 0))).toEqual([]);
  });

  it('holds graphology where a graph is asked for, and nowhere else', async () => {
    const holders = await Promise.all(
      entries.map(async ({ name, file }) => {
        const options = { bundle: true, format: 'esm', platform: 'node', write: false, metafile: true } as const;
        const { metafile } = await build({ entryPoints: [file], ...options, logLevel: 'error' });
        return Object.keys(metafile.inputs).some((input) => input.includes('/graphology/')) ? [name] : [];
      }),
    );
    expect(holders.flat()).toEqual([withGraphology]);
  });
});
