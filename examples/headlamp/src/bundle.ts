import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the plugin as Headlamp loads it: one script, which finds Headlamp in `pluginLib`. */
export async function bundlePlugin(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('plugin.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    conditions: ['@policy-machinery/source'],
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
