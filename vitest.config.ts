import { defineConfig } from 'vitest/config';
import projects from './vitest.workspace.ts';

/** Tests run against the packages' sources: no build is needed first. */
const conditions = ['@policy-machinery/source', 'module', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { projects },
});
