import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
  const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
  })
    .toString()
    .split('\n')
    .filter((path) => path !== '' && existsSync(root + path));
  return [...new Set(paths)].sort();
}
