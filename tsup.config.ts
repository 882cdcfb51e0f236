import { defineConfig } from 'tsup';

/** Shared by every package: each file in `src/` is one entry of its `exports`, but for what `lib` holds, and tests. */
export default defineConfig({
  entry: ['src/**/*.ts', '!src/{lib,conformance,properties}/**'],
  format: 'esm',
  target: 'es2023',
  sourcemap: true,
  // The sources are published as well: source maps name them, and do not hold copies.
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  clean: true,
  silent: true,
  tsconfig: '../../tsconfig.base.json',
  // tsup 8 sets baseUrl for its declaration build, which TypeScript 6 reports as deprecated. What is `@internal` stays in.
  // `npm run typecheck` checks the types of all packages once; each build would check all that it imports.
  dts: { compilerOptions: { ignoreDeprecations: '6.0', stripInternal: true, noCheck: true } },
});
