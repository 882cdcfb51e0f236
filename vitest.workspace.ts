import type { TestProjectInlineConfiguration } from 'vitest/config';
import { changedProcessTests, processTests } from './internal/checks/changed-processes.ts';

/** Tests run against the packages' sources: no build is needed first. */
const conditions = ['@policy-machinery/source', 'module', 'node', 'import', 'default'];
const fromSources = { resolve: { conditions }, ssr: { resolve: { conditions } } };

const inSharedWorkers = {
  setupFiles: 'internal/workload/src/fixed-seed.ts',
  // Workers load each module once for all files: with modules of their own for each file, loading takes longer than the tests.
  isolate: false,
  // A test fails if it asserts only in a loop over nothing.
  expect: { requireAssertions: true },
};

/** What `npm test` always runs. */
export const unit = {
  ...fromSources,
  test: {
    ...inSharedWorkers,
    name: 'unit',
    include: [
      '{packages,examples,internal}/*/src/**/*.test.ts',
      'internal/checks/{*,{budgets,docs,incremental,re2}/**/*}.test.ts',
    ],
    exclude: ['**/*.process.test.ts'],
  },
} satisfies TestProjectInlineConfiguration;

/** Tests that start programs, and take most of their time for it: all, and those whose folders have changed, which `npm test` runs. */
const processes = {
  ...fromSources,
  test: { ...inSharedWorkers, name: 'processes', include: [...processTests()] },
} satisfies TestProjectInlineConfiguration;
const changedProcesses = {
  ...fromSources,
  test: { ...inSharedWorkers, name: 'changed-processes', include: [...changedProcessTests()] },
} satisfies TestProjectInlineConfiguration;

/** What needs a real API server, which is built where it is missing. */
const cluster = {
  ...fromSources,
  test: { name: 'cluster', include: ['internal/e2e/src/**/*.e2e.ts'], globalSetup: 'internal/e2e/src/setup.ts' },
} satisfies TestProjectInlineConfiguration;

/** What needs a Chromium. */
const browser = {
  ...fromSources,
  test: { name: 'browser', include: ['internal/browser/src/**/*.browser.ts'] },
} satisfies TestProjectInlineConfiguration;

/** What needs the packages as they are published: built, packed and installed elsewhere. */
const packed = {
  test: {
    name: 'packed',
    include: ['internal/checks/packed/**/*.test.ts'],
    globalSetup: 'internal/checks/packed/pack.ts',
  },
} satisfies TestProjectInlineConfiguration;

/** All that the sources export, compared with the `api.md` of each package. */
const api = {
  ...fromSources,
  test: { name: 'api', include: ['internal/checks/api/**/*.test.ts'] },
} satisfies TestProjectInlineConfiguration;

/** A release, rehearsed: the packed packages are published to a registry on this machine, and installed from it. */
const release = {
  test: {
    name: 'release',
    include: ['internal/checks/release/**/*.test.ts'],
    globalSetup: 'internal/checks/packed/pack.ts',
  },
} satisfies TestProjectInlineConfiguration;

/** What needs the built packages alone: their sizes, and their declarations. */
const size = { test: { name: 'size', include: ['internal/checks/size/**/*.test.ts'] } };
const types = { test: { name: 'types', include: ['internal/checks/types/**/*.test.ts'] } };

/** The projects of vitest: `npx vitest run --project unit` runs one. */
export default [unit, processes, changedProcesses, cluster, browser, packed, release, api, size, types].map(
  (project) => ({
    extends: true as const,
    ...project,
  }),
);
