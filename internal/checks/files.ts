import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the output of a command of Git at the root, or undefined if it fails, for example without Git or its history. */
export function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 }).toString();
  } catch {
    return undefined;
  }
}

/** Returns the files of the repository that Git does not ignore and one of the patterns matches, relative to the root. */
export function filesOf(...patterns: readonly string[]): readonly string[] {
  const options = existsSync(`${root}.git`) ? [] : withoutRepository();
  const list = [...options, 'ls-files', '--cached', '--others', '--exclude-standard', ...patterns];
  const paths = execFileSync('git', list, { cwd: root })
    .toString()
    .split('\n')
    .filter((path) => path !== '' && existsSync(root + path));
  return [...new Set(paths)].sort();
}

/** Returns the options of Git for an unpacked archive: all files are new in an empty repository. */
function withoutRepository(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-repository-'));
  execFileSync('git', ['init', '--quiet', folder]);
  return ['--git-dir', join(folder, '.git'), '--work-tree', root];
}
