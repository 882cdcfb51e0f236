import { defineConfig } from 'tsup';

/** One package without dependencies: everything is bundled, and each command is a chunk that is loaded when it is called. */
export default defineConfig({
  entry: ['src/gwpolicy.ts', 'src/kubectl-gwpolicy.ts', 'src/kubectl_complete-gwpolicy.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  splitting: true,
  minify: true,
  noExternal: [/./],
  // Some of what is bundled is CommonJS, and requires modules of Node.
  banner: { js: "import{createRequire as r}from'node:module';const require=r(import.meta.url);" },
  esbuildOptions: (options) => {
    options.conditions = ['@policy-machinery/source'];
    options.legalComments = 'none';
  },
  clean: true,
  silent: true,
  tsconfig: '../../tsconfig.base.json',
});
