import { writeFile } from 'node:fs/promises';
import type { CaseResult } from './case.ts';
import type { TestFile } from './test-file.ts';

/**
 * Writes the computed values into the failed cases of a file. Comments, order and everything else are kept.
 *
 * @param file The file.
 * @param results The results of its cases.
 * @returns How many cases were changed.
 */
export async function updateTestFile({ source, document }: TestFile, results: readonly CaseResult[]): Promise<number> {
  const failed = results
    .map(({ checks, path: ofCase }) => checks.filter((it) => !it.isAsExpected && it.path !== ofCase)) // A case without an answer is without values.
    .filter((checks) => checks.length > 0);
  for (const { path, got } of failed.flat()) {
    if (got === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(got));
  }
  if (failed.length > 0) await writeFile(source, document.toString({ lineWidth: 0 }));
  return failed.length;
}
