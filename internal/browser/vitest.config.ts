import { defineConfig } from 'vitest/config';

/** Tests run against the packages' sources: no build is needed first. */
const conditions = ['@policy-machinery/source', 'module', 'node', 'import', 'default'];

/** What needs a Chromium: `npm test` leaves it to `npm run test:browser`. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['src/**/*.browser.ts'],
    // Limits for what hangs, not measures: machines differ, and are busy.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
