import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** What `tmpdir()` reads: the first on Unix, the others on Windows. */
const variables = ['TMPDIR', 'TEMP', 'TMP'];

/** Short: paths of sockets begin with the folder's, and may have some 100 characters. */
const prefix = 'tests-';

/** Gives tests, and the programs that they start, a temporary folder that is removed after the run. Each project calls this; the first makes the folder. */
export default function setup(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(prefix)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), prefix));
  for (const name of variables) process.env[name] = folder;
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  // A signal ends vitest without a teardown.
  process.once('exit', remove);
  return remove;
}
