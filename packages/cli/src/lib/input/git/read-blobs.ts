import { decodeText } from '@policy-machinery/resource/node';
import { UsageError } from '../../model/usage-error.ts';
import { runGit } from './run-git.ts';
import type { TreeEntry } from './tree-path.ts';

/**
 * Returns the texts of files in git.
 *
 * @param top The top of the work tree.
 * @param revision Their revision, for messages.
 * @returns The texts, in the order of the files. Rejects with a {@link UsageError} if git does not have one.
 */
export async function readBlobs(
  top: string,
  files: readonly TreeEntry[],
  revision: string,
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const output = await runGit(top, ['cat-file', '--batch'], revision, files.map(({ id }) => `${id}\n`).join(''));
  let at = 0;
  return files.map(({ name }) => {
    const end = output.indexOf('\n', at);
    const [, type, size] = output.toString('utf8', at, end).split(' ');
    if (type !== 'blob') {
      throw new UsageError(
        `git does not have ${name} of ${revision}; if the clone is partial, fetch without a filter: git fetch --refetch --no-filter`,
      );
    }
    at = end + 1 + Number(size) + 1;
    return decodeText(output.subarray(end + 1, at - 1));
  });
}
