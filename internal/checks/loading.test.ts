import { join, posix } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from './files.ts';
import { isProgram, published, umbrella } from './packages.ts';

/** Megabytes, and a good part of the time to start: CEL, with what it needs. */
const evaluator = /(?:^|\/)node_modules\/@bufbuild\/(?:cel|protobuf)\//;

/** The entries that cannot do without the evaluator: they judge guarantees, or the rules of CustomResourceDefinitions. */
const withEvaluator = [
  '@policy-machinery/admission',
  '@policy-machinery/cel',
  '@policy-machinery/guarantees',
  '@policy-machinery/guarantees/coverage',
  '@policy-machinery/known-kinds',
  '@policy-machinery/report',
];

const entries = published
  .filter(({ manifest }) => manifest.name !== umbrella && !isProgram(manifest))
  .flatMap(({ folder, entries }) =>
    Array.from(entries, ([name, source]) => ({ name, file: posix.join(folder, source) })),
  );

/** Returns the imports of all files, from the sources. */
async function importsOf(files: readonly string[]): Promise<Metafile['inputs']> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...files],
    outdir: join(root, 'never-written'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@policy-machinery/source'],
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  return metafile.inputs;
}

/** Returns the files that are loaded with a file, by the one that imports them: all but those of `import()`. */
function loadedWith(file: string, inputs: Metafile['inputs']): ReadonlyMap<string, string> {
  const loaded = new Map([[file, '']]);
  for (const importer of loaded.keys()) {
    for (const { path, kind, external } of inputs[importer]?.imports ?? []) {
      if (kind !== 'dynamic-import' && external !== true && !loaded.has(path)) loaded.set(path, importer);
    }
  }
  return loaded;
}

/** Returns the imports that lead to a file, from the entry on. */
function wayTo(file: string, loaded: ReadonlyMap<string, string>): readonly string[] {
  const importer = loaded.get(file);
  return importer === undefined || importer === '' ? [file] : [...wayTo(importer, loaded), file];
}

describe('importing a package', () => {
  it('loads CEL where conditions are evaluated, and nowhere else', async () => {
    const inputs = await importsOf(entries.map(({ file }) => file));
    const holders = entries.flatMap(({ name, file }) => {
      const loaded = loadedWith(file, inputs);
      const first = [...loaded.keys()].find((it) => evaluator.test(it));
      return first === undefined ? [] : [{ name, way: wayTo(first, loaded) }];
    });
    expect(holders.filter(({ name }) => !withEvaluator.includes(name))).toEqual([]);
    expect(holders.map(({ name }) => name)).toEqual(withEvaluator);
  });
});
