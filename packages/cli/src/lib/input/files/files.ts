import type { Finding } from '../../model/answer.ts';
import type { Environment } from '../../model/environment.ts';
import type { Options } from '../../model/flags.ts';
import type { FileMemory } from './file-memory.ts';
import type { FileReading } from './file-reading.ts';
import { manifestsOf } from './manifests-of.ts';
import { readTexts } from './texts.ts';

/**
 * Reads the files, folders and standard input of `-f`, and the output of kustomize for `-k`.
 *
 * @param memory The earlier content of the same files. Default: nothing.
 * @param keepsStatus Whether statuses stay that do not count, for a command that compares them. Default: no.
 * @returns The objects; `undefined` if the options name no files. Rejects with a `UsageError` if one cannot be read.
 */
export async function readFiles(
  { filename = [], kustomize, recursive = false, exclude = [] }: Options,
  { stdin, kubectl }: Pick<Environment, 'stdin' | 'kubectl'>,
  memory?: FileMemory,
  keepsStatus = false,
): Promise<FileReading | undefined> {
  if (filename.length === 0 && kustomize === undefined) return undefined;
  const { texts, findings, excluded } = await readTexts(filename, { recursive, exclude, stdin });
  const source = `kubectl kustomize ${kustomize}`;
  const rendered = kustomize === undefined ? [] : [{ source, text: await kubectl(['kustomize', '--', kustomize]) }];
  const named = new Set([...filename, 'stdin', source]);
  const reading = manifestsOf([...texts, ...rendered], (name) => named.has(name), memory, keepsStatus);
  return { ...reading, issues: [...reading.issues, ...findings, ...excludedFindings(excluded)] };
}

/** Says how many files are not read, because a pull request may exclude its own. */
function excludedFindings(count: number): readonly Finding[] {
  if (count === 0) return [];
  const message = `${count} ${count === 1 ? 'file is' : 'files are'} excluded, by --exclude or .gwpolicyignore`;
  return [{ code: 'files-excluded', severity: 'note', message }];
}
