import { open, readFile } from 'node:fs/promises';
import { messageOf, PolicyMachineryError } from '@policy-machinery/resource';
import { openFilesRemedy } from '../transport/remedy.ts';
import { connectionCode } from '../transport/transport.ts';

/**
 * Does work that opens files. If it fails while the process or the machine has too many open files, the error names this fault, whatever
 * the work makes of it: Node reports a module that it cannot open as one that is not installed.
 *
 * @returns The result. Rejects with a {@link PolicyMachineryError} `too-many-open-files`, or as the work does.
 */
export async function namingOpenFiles<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const causes = causesOf(error);
    const loading = causes.some((each) => connectionCode(each)?.endsWith('MODULE_NOT_FOUND'));
    for (const each of [...causes, await openingFault(loading ? filesWhileLoading : 1)]) {
      const remedy = openFilesRemedy(connectionCode(each));
      if (remedy === undefined) continue;
      throw new PolicyMachineryError('too-many-open-files', `${messageOf(each)}; ${remedy}`, [], { cause: error });
    }
    throw error;
  }
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let each = error; each instanceof Error && !causes.includes(each); each = each.cause) causes.push(each);
  return causes;
}

/**
 * How many files Node opens together while it loads a package with its dependencies. When loading has failed, they are closed again: a
 * probe of one file would succeed.
 */
const filesWhileLoading = 64;

/** Returns the error of opening a file that exists, `count` times together; `undefined` if it can be opened. */
async function openingFault(count: number): Promise<unknown> {
  const openings = await Promise.allSettled(Array.from({ length: count }, () => open(process.execPath)));
  let fault: unknown;
  for (const opening of openings) {
    if (opening.status === 'fulfilled') await opening.value.close();
    else fault = opening.reason;
  }
  return fault;
}

/** Returns the content of a file; `''` if the file does not exist. Rejects if the file cannot be read. */
export async function readIfExists(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (connectionCode(error) === 'ENOENT') return '';
    throw error;
  }
}
