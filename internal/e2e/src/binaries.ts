import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../apiserver');

/** The programs that `apiserver/build.sh` builds. */
export const binaries = { apiserver: join(folder, 'bin/apiserver'), kubectl: join(folder, 'bin/kubectl') };

const advice = `Install Go 1.26 or later (https://go.dev/dl), with which ${folder} is built; or set TEST_KUBECONFIG to the kubeconfig of a cluster
in which tests may create and delete anything, such as one of kind, and put kubectl into the PATH.`;

/**
 * Builds the API server and kubectl. Takes seconds if nothing has changed since the last build, and many minutes the first time.
 *
 * @throws {Error} If there is no Go and nothing has been built before, or if the build fails.
 */
export async function buildBinaries(): Promise<void> {
  const hasGo = (await exitCode('go', ['version'])) === 0;
  const isBuilt = Object.values(binaries).every((path) => existsSync(path));
  if (!hasGo && isBuilt) return;
  if (!hasGo) throw new Error(`There is no Go, and no API server for the tests has been built. ${advice}`);
  if ((await exitCode(join(folder, 'build.sh'), [], 'inherit')) !== 0) {
    throw new Error(`The API server for the tests could not be built: see the output of ${folder}/build.sh. ${advice}`);
  }
}

function exitCode(command: string, args: readonly string[], output: 'ignore' | 'inherit' = 'ignore'): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', output, output] });
    child.once('error', () => resolve(-1));
    child.once('exit', (code) => resolve(code ?? -1));
  });
}
