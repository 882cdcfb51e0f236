import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

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
