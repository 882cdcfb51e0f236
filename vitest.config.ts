import { defineConfig } from 'vitest/config';
import projects from './vitest.workspace.ts';

/** Tests run against the packages' sources: no build is needed first. */
const conditions = ['@policy-machinery/source', 'module', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // A limit for what hangs, not a measure: machines differ, and are busy.
  test: { projects, testTimeout: 600_000 },
});
