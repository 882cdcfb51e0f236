import { open, readFile } from 'node:fs/promises';
import { messageOf, PolicyMachineryError } from '@policy-machinery/resource';
import { openFilesRemedy } from '../transport/remedy.ts';
import { connectionCode } from '../transport/transport.ts';

/**
 * Does work that opens files. If it fails while the process or the machine has too many open files, the error names this fault, whatever
 * the work makes of it: Node reports a module that it cannot open as one that is not installed.
 *
 * @param work The work.
 * @returns The result. Rejects with a {@link PolicyMachineryError} `too-many-open-files`, or as the work does.
 */
export async function namingOpenFiles<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    for (const each of [...causesOf(error), await openingFault()]) {
      const remedy = openFilesRemedy(connectionCode(each));
      if (remedy === undefined) continue;
      throw new PolicyMachineryError('too-many-open-files', `${messageOf(each)}; ${remedy}`, [], { cause: error });
    }
    throw error;
  }
}

/** Returns an error and its causes. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let each = error; each instanceof Error && !causes.includes(each); each = each.cause) causes.push(each);
  return causes;
}

/** Returns the error of opening a file that exists; `undefined` if it can be opened. */
async function openingFault(): Promise<unknown> {
  try {
    await (await open(process.execPath)).close();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Returns the content of a file; `''` if there is no such file. Rejects if the file cannot be read. */
export async function readIfExists(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (connectionCode(error) === 'ENOENT') return '';
    throw error;
  }
}
