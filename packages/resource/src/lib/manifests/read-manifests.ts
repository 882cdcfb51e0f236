import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { type Issue, PolicyMachineryError } from '../issue.ts';
import type { ManifestText } from './documents.ts';
import { type ManifestOptions, type Manifests, parseManifests } from './manifests.ts';

/** How to read manifests from files. */
export interface ReadManifestsOptions extends ManifestOptions {
  /** What `-` reads. Default `process.stdin`. */
  readonly stdin?: Readable;
}

const extension = /\.(ya?ml|json)$/i;

/**
 * Reads Kubernetes resources from files, directories and standard input, as `kubectl -R -f` does: a directory stands for
 * the `.yaml`, `.yml` and `.json` files below it, in the order of their names, and `-` for standard input.
 *
 * @param paths One path or several.
 * @param options Limits, and what to do with issues.
 * @returns The resources of all files, with their positions.
 * @throws {PolicyMachineryError} `invalid-manifests`, with every issue of every file; see `parseManifests`. A path that
 * cannot be read is one of them.
 * @example
 * ```ts
 * topology.apply({ upsert: await readManifests(['cluster/', 'extra.yaml']) });
 * ```
 */
export async function readManifests(
  paths: string | readonly string[],
  options: ReadManifestsOptions = {},
): Promise<Manifests> {
  const issues: Issue[] = [];
  const onIssue = options.onIssue ?? ((issue: Issue) => issues.push(issue));
  const texts: ManifestText[] = [];
  for (const path of typeof paths === 'string' ? [paths] : paths) {
    try {
      for (const file of await filesAt(path)) texts.push(await readText(file, options.stdin ?? process.stdin));
    } catch (error) {
      onIssue({
        code: 'unreadable-file',
        severity: 'error',
        message: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        position: { source: path, line: 1, column: 1 },
      });
    }
  }
  const manifests = parseManifests(texts, { ...options, onIssue });
  if (issues.length > 0) throw new PolicyMachineryError('invalid-manifests', 'The manifests cannot be used', issues);
  return manifests;
}

async function filesAt(path: string): Promise<readonly string[]> {
  if (path === '-' || !(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && extension.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function readText(path: string, stdin: Readable): Promise<ManifestText> {
  if (path === '-') return { source: 'stdin', text: await textOf(stdin) };
  return { source: path, text: await readFile(path, 'utf8') };
}
