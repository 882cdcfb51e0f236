import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { changedProcessTests, processTests } from './changed-processes.ts';
import { filesOf } from './files.ts';

const ofCli = 'packages/cli/**/*.process.test.ts';
const ofChecks = 'internal/checks/*.process.test.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'changed-'));
});

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
    cwd: folder,
    stdio: 'ignore',
  });

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function commit(...paths: readonly string[]): void {
  for (const path of paths) write(path);
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message=change');
}

function clone(): void {
  git('init', '--quiet', '--initial-branch=main');
  commit('packages/cli/a.ts', 'packages/merge/a.ts');
  git('switch', '--quiet', '--create=change');
}

describe('changedProcessTests', () => {
  it.each([
    ['nothing changes', () => {}, []],
    ['another package changes', () => write('packages/merge/a.ts', 'changed'), []],
    ['a file changes', () => write('packages/cli/a.ts', 'changed'), [ofCli, ofChecks]],
    ['a commit changes a file', () => commit('packages/cli/b.ts'), [ofCli, ofChecks]],
    ['a file moves elsewhere', () => git('mv', 'packages/cli/a.ts', 'packages/merge/b.ts'), [ofCli, ofChecks]],
    ['a file is new', () => write('action/src/ä b.ts'), [ofChecks]],
  ])('returns the tests of the changed folders: %s', (_, change, expected) => {
    clone();
    change();
    expect(changedProcessTests(folder)).toEqual(expected);
  });

  it('ignores changes of the main branch after the change began', () => {
    clone();
    git('switch', '--quiet', 'main');
    commit('packages/cli/b.ts');
    git('switch', '--quiet', 'change');
    expect(changedProcessTests(folder)).toEqual([]);
  });

  it('returns all tests in a folder without a repository, also below the folder of a repository', () => {
    clone();
    folder = join(folder, 'unpacked');
    mkdirSync(folder);
    expect(changedProcessTests(folder)).toEqual(processTests());
  });

  it('returns all tests of a repository without a main branch', () => {
    clone();
    git('branch', '--quiet', '--delete', '--force', 'main');
    expect(changedProcessTests(folder)).toEqual(processTests());
  });
});

describe('processTests', () => {
  it('match all tests that start programs', () => {
    const folders = processTests().map((pattern) => pattern.slice(0, pattern.indexOf('*')));
    const files = filesOf('*.process.test.ts');
    expect(files).not.toEqual([]);
    expect(files.filter((path) => !folders.some((it) => path.startsWith(it)))).toEqual([]);
  });
});
