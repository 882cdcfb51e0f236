import { defineConfig } from 'vitest/config';

/** What needs the built packages, and takes minutes: `npm test` leaves it to `npm run check`. */
export default defineConfig({
  test: {
    include: ['packed/**/*.test.ts', 'size/**/*.test.ts'],
    globalSetup: 'packed/pack.ts',
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
