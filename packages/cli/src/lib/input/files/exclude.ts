import { sep } from 'node:path';
import ignore from 'ignore';

/** The file in a folder that excludes files from reading, in the form of a `.gitignore`. */
export const ignoreFile = '.gwpolicyignore';

/**
 * Returns which files of a folder are excluded.
 *
 * @param patterns The patterns of `--exclude`, in the form of a line of a `.gitignore`.
 * @param ignored The text of the folder's {@link ignoreFile}. Default: there is none.
 * @returns Takes a path relative to the folder.
 */
export function excludes(patterns: readonly string[], ignored = ''): (path: string) => boolean {
  if (patterns.length === 0 && ignored === '') return () => false;
  const rules = ignore().add(ignored).add(patterns);
  return (path) => rules.ignores(path.split(sep).join('/'));
}
