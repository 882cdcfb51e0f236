import { readFileSync } from 'node:fs';
import { BaseSequencer, createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import common from '../../../../vitest.config.ts';
import { unit } from '../../../../vitest.workspace.ts';
import { type Mutant, mutated } from './mutants.ts';
import { nearestFirst } from './nearest-first.ts';

/** What runs tests against mutants. */
export interface Runner {
  /** Runs the tests that match some paths, and stops at the first failure. Returns what failed; `undefined` if all passed. */
  readonly run: (paths: readonly string[], file?: string, mutant?: Mutant) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** Starts vitest at the root of the repository. The sources stay as they are: mutants are what vitest loads in their place. */
export async function startRunner(root: string): Promise<Runner> {
  let present: { readonly path: string; readonly text: string } | undefined;
  const plugin = {
    name: 'mutant',
    enforce: 'pre' as const,
    transform: (code: string, id: string) =>
      present !== undefined && id.startsWith(present.path) ? present.text : code,
  };
  class Sequencer extends BaseSequencer {
    override async sort(tests: TestSpecification[]): Promise<TestSpecification[]> {
      return [...nearestFirst(present?.path ?? root, tests, ({ moduleId }) => moduleId)];
    }
  }
  // The project of `npm test` alone: projects have servers of their own, which the plugin would not reach.
  const { test, ...resolving } = unit;
  const config = {
    ...common.test,
    ...test,
    projects: undefined,
    root,
    config: false,
    watch: true,
    standalone: true,
    bail: 1,
    maxWorkers: 1,
    pool: 'threads',
    // Threads cannot change the working directory, as these tests do.
    exclude: [...test.exclude, '**/node_modules/**', '**/hostile-input.test.ts'],
    reporters: [{}],
    sequence: { sequencer: Sequencer },
  };
  const vitest = await createVitest('test', config as never, {
    ...resolving,
    plugins: [plugin],
    server: { watch: null },
  });
  await vitest.standalone();
  return {
    async run(paths, file, mutant) {
      if (file !== undefined) vitest.invalidateFile(root + file);
      present = undefined;
      if (file !== undefined && mutant !== undefined) {
        present = { path: root + file, text: mutated(readFileSync(root + file, 'utf8'), mutant) };
      }
      let failure = await firstFailure(vitest, paths);
      for (let times = 1; failure === notStarted && times < 3; times += 1) failure = await firstFailure(vitest, paths);
      if (failure === notStarted) throw new Error(`${notStarted}: the machine is too busy`);
      if (file !== undefined) vitest.invalidateFile(root + file);
      return failure;
    },
    close: () => vitest.close(),
  };
}

async function firstFailure(vitest: Vitest, paths: readonly string[]): Promise<string | undefined> {
  // What failed before would count against `bail`.
  vitest.state.idMap.clear();
  vitest.state.filesMap.clear();
  vitest.state.errorsSet.clear();
  const specifications = await vitest.globTestSpecifications([...paths]);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  for (const module of testModules) {
    for (const test of module.children.allTests('failed')) return `${module.relativeModuleId}: ${test.fullName}`;
    if (module.errors().length > 0) return `${module.relativeModuleId}: does not load`;
    for (const suite of module.children.allSuites())
      if (suite.errors().length > 0) return `${module.relativeModuleId}: ${suite.fullName}`;
  }
  const [error] = unhandledErrors.map((it) => (it instanceof Error ? it.message : JSON.stringify(it)));
  if (error === undefined) return undefined;
  return /^\[vitest-pool\]: (?:Failed to start|Timeout starting)/.test(error)
    ? notStarted
    : `an error outside of tests: ${error.slice(0, 200)}`;
}

/** No mutant is to blame for that: a worker has a minute to start, which a busy machine can take. */
const notStarted = 'vitest starts no worker';
