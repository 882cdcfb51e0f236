import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { UsageError } from '../model/usage-error.ts';

const execute = promisify(execFile);

/**
 * Runs kubectl.
 *
 * @returns The output of kubectl. Rejects with a {@link UsageError} that contains the message of kubectl.
 */
export async function runKubectl(args: readonly string[], signal: AbortSignal): Promise<string> {
  try {
    const { stdout } = await execute('kubectl', [...args], { signal, maxBuffer: 1 << 30 });
    return stdout;
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code === 'ENOENT') throw new UsageError('kubectl is not in the PATH; install kubectl');
    throw new UsageError(`kubectl ${args[0]} fails: ${stderr?.trim() || String(error)}`);
  }
}
