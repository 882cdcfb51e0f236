import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dialects } from '@policy-machinery/known-kinds';
import { type BuildOptions, build } from 'esbuild';
import { pageScriptHash, pageStyleHash } from '../../../packages/report/src/lib/page-assets.ts';
import { examples } from './examples.ts';

const page = (name: string) => fileURLToPath(new URL(`../page/${name}`, import.meta.url));

/** Nothing but the page's own files is loaded. The report is in a frame, which inherits this policy. */
const policy = [
  "default-src 'none'",
  `script-src 'self' '${pageScriptHash}'`,
  `style-src 'self' '${pageStyleHash}'`,
  "worker-src 'self'",
  'frame-src blob:',
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function indexPage(): string {
  const mark = readFileSync(new URL('../../site/src/mark.svg', import.meta.url)).toString('base64');
  const text = readFileSync(page('index.html'), 'utf8');
  return text.replace('{{policy}}', policy).replaceAll('{{icon}}', `data:image/svg+xml;base64,${mark}`);
}

/**
 * Writes the playground: static files for any host.
 *
 * @param folder The folder to write to.
 */
export async function buildPlayground(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const options: BuildOptions = {
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    conditions: ['@policy-machinery/source'],
    legalComments: 'none',
    outdir: folder,
    logLevel: 'error',
  };
  await build({ ...options, entryPoints: [page('style.css')] });
  const written = examples();
  const values = {
    EXAMPLES: JSON.stringify(written),
    FIRST_EXAMPLE: written[0],
    EXAMPLE_NAMES: written.map(({ name }) => name),
    DIALECTS: dialects.map(({ name }) => name),
  };
  const define = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
  // Loaded later: completion (with the first edit), a project's schemas (with the first object of its kinds), examples.
  await build({ ...options, splitting: true, entryPoints: [page('main.ts'), page('worker.ts')], define });
  writeFileSync(`${folder}/index.html`, indexPage());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPlayground(fileURLToPath(new URL('../dist', import.meta.url)));
}
