import type { Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { collectIssues } from './collect-issues.ts';
import { decodeText } from './decode-text.ts';
import type { ManifestText } from './manifest-text.ts';
import { type ManifestOptions, type Manifests, parseManifests } from './manifests.ts';

/** Options for reading manifests from files. */
export interface ReadManifestsOptions extends ManifestOptions {
  /** The source of `-`. Default `process.stdin`. */
  readonly stdin?: Readable | undefined;
  /** Whether a directory means the files in its subdirectories as well. Default: `true`. */
  readonly recursive?: boolean | undefined;
}

/** The names of manifests in directories. As for kubectl, letter case counts: `a.YAML` is not read. */
const extension = /\.(ya?ml|json)$/;

/**
 * Reads Kubernetes resources from files, directories and standard input, as `kubectl -R -f` does: a directory means the
 * `.yaml`, `.yml` and `.json` files below it, in the order of their paths, and `-` means standard input. Symbolic links below a
 * directory are not followed, and only regular files below it are read. A device is not read, also if you name it; a pipe is.
 *
 * @param paths One path or several.
 * @param options Limits, and how to handle issues.
 * @returns The resources of all files, with their positions.
 * @throws {PolicyMachineryError} `invalid-manifests`, with every issue of every file; see `parseManifests`. An unreadable path
 * is one of them.
 * @example
 * ```ts
 * topology.apply({ upsert: await readManifests(['cluster/', 'extra.yaml']) });
 * ```
 */
export async function readManifests(
  paths: string | readonly string[],
  options: ReadManifestsOptions = {},
): Promise<Manifests> {
  const issues = collectIssues();
  const onIssue = options.onIssue ?? issues.report;
  const attempt = async <T>(path: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      const position = { source: path, line: 1, column: 1 };
      onIssue({ code: 'unreadable-file', severity: 'error', message, position });
      return undefined;
    }
  };
  const texts: ManifestText[] = [];
  for (const path of typeof paths === 'string' ? [paths] : paths) {
    for (const file of (await attempt(path, () => manifestFilesAt(path, options))) ?? []) {
      const text = await attempt(file, () => readText(file, options.stdin ?? process.stdin));
      if (text !== undefined) texts.push(text);
    }
  }
  const manifests = parseManifests(texts, { ...options, onIssue });
  issues.throwIfAny();
  return manifests;
}

/**
 * Returns the files that {@link readManifests} reads for a path.
 *
 * @param path A file, a directory, or `-`.
 * @param options Whether to look into subdirectories.
 * @returns The path itself, or the manifests in the directory, in the order of their paths. Rejects if the path does not exist, or if it is a device.
 */
export async function manifestFilesAt(
  path: string,
  { recursive = true }: Pick<ReadManifestsOptions, 'recursive'> = {},
): Promise<readonly string[]> {
  if (path === '-') return [path];
  const stats = await stat(path);
  refuseDevice(stats);
  if (!stats.isDirectory()) return [path];
  const entries = await readdir(path, { recursive, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && extension.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function readText(path: string, stdin: Readable): Promise<ManifestText> {
  if (path === '-') return { source: 'stdin', text: await textOf(stdin) };
  return { source: path, text: await readTextFile(path) };
}

/**
 * Reads a file that others may have put there.
 *
 * @param path The path of a file or a pipe.
 * @returns The text, from UTF-8 or from UTF-16 with a byte order mark. Rejects if the path leads to a device, which may be endless, or if the file
 * does not exist.
 */
export async function readTextFile(path: string): Promise<string> {
  refuseDevice(await stat(path));
  return decodeText(await readFile(path));
}

function refuseDevice(stats: Stats): void {
  if (stats.isCharacterDevice() || stats.isBlockDevice()) throw new Error('it is a device; name a file or a directory');
}
