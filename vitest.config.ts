import { defineConfig } from 'vitest/config';

/** Tests run against the packages' sources: no build is needed first. */
const conditions = ['@policy-machinery/source', 'module', 'node', 'import', 'default'];

/**
 * What `npm test` runs: one project, whose workers load each module once for all files. With a project for each package, or with modules of
 * their own for each file, loading takes longer than the tests. `npm run typecheck` checks the `*.test-d.ts` files.
 */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{packages,examples,internal}/*/src/**/*.test.ts', 'internal/checks/{*,{docs,incremental}/**/*}.test.ts'],
    isolate: false,
    maxWorkers: '100%',
    // Limits for what hangs, not measures: machines differ, and are busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
