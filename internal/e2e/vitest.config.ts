import { defineConfig } from 'vitest/config';

/** Tests run against the packages' sources: no build is needed first. */
const conditions = ['@policy-machinery/source', 'module', 'node', 'import', 'default'];

/** What needs a real API server: `npm test` leaves it to `npm run test:cluster`. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['src/**/*.e2e.ts'],
    globalSetup: 'src/setup.ts',
    // Limits for what hangs, not measures: machines differ, and are busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
