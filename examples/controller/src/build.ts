import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// CommonJS packages load modules of Node by `require`, which ES modules do not have.
const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

await build({
  entryPoints: [fileURLToPath(new URL('controller.ts', import.meta.url))],
  outfile: fileURLToPath(new URL('../dist/controller.mjs', import.meta.url)),
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  conditions: ['@policy-machinery/source'],
  banner: { js: banner },
  sourcemap: true,
});
