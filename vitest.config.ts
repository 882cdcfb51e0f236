import { defineConfig } from 'vitest/config';
import projects from './vitest.workspace.ts';

/** What is the same for all projects. `npm run typecheck` checks the `*.test-d.ts` files. */
export default defineConfig({
  test: {
    projects,
    maxWorkers: '100%',
    // Before the setup of a project.
    globalSetup: ['internal/checks/temporary-folder.ts'],
    // Limits for what hangs, not measures: machines differ, and are busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
