import { build } from 'esbuild';

// CommonJS packages load modules of Node by `require`, which ES modules do not have.
const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Writes a program, with all that it needs and no more, into one file. Names are kept, for stack traces. */
export async function bundle(program: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    conditions: ['@policy-machinery/source'],
    minifyWhitespace: true,
    minifySyntax: true,
    banner: { js: banner },
  });
}
