import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { root } from './files.ts';

/** Tests that start programs, by their files; and the folders whose changes they depend on. */
const tests: readonly (readonly [files: string, inputs: readonly string[]])[] = [
  ['packages/cli/**/*.process.test.ts', ['packages/cli/']],
  ['packages/cluster/**/*.process.test.ts', ['packages/cluster/']],
  ['internal/checks/*.process.test.ts', ['internal/checks/', 'packages/cli/', 'action/', 'templates/']],
];

/** The branches that a change starts from; the first that exists counts. */
const bases = ['origin/HEAD', 'origin/main', 'main'];

/** Returns patterns of all tests that start programs. */
export function processTests(): readonly string[] {
  return tests.map(([files]) => files);
}

/** Returns patterns of the tests whose folders differ from the main branch, committed or not; of all tests if Git cannot compare them. */
export function changedProcessTests(folder = root): readonly string[] {
  const changed = changedFiles(folder);
  const hasChanged = (input: string): boolean => changed?.some((path) => path.startsWith(input)) ?? true;
  return tests.filter(([, inputs]) => inputs.some(hasChanged)).map(([files]) => files);
}

/** Returns the paths that differ from the main branch; undefined without a repository in this folder or a common commit. */
function changedFiles(folder: string): readonly string[] | undefined {
  // Git does not look for a repository above the folder.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  const git = (...args: readonly string[]): readonly string[] | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' });
    return status === 0 ? stdout.split('\0').filter((path) => path !== '') : undefined;
  };
  const base = bases.map((branch) => git('merge-base', branch, 'HEAD')?.[0]?.trim()).find((it) => it !== undefined);
  if (base === undefined) return undefined;
  const tracked = git('diff', '--name-only', '--no-renames', '--relative', '-z', base);
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
  return tracked && untracked && [...tracked, ...untracked];
}
