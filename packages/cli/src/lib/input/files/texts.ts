import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { messageOf } from '@policy-machinery/resource';
import type { ManifestText } from '@policy-machinery/resource/manifests';
import { readTextFile } from '@policy-machinery/resource/node';
import type { Finding } from '../../model/answer.ts';
import { UsageError } from '../../model/usage-error.ts';
import { excludes, ignoreFile } from './exclude.ts';
import { isManifestLink, isManifestName, linkFinding } from './manifest-names.ts';

export interface Texts {
  readonly texts: readonly ManifestText[];
  /** The links that are left out. */
  readonly findings: readonly Finding[];
  /** How many files are excluded. */
  readonly excluded: number;
}

export interface TextOptions {
  readonly recursive: boolean;
  /** Patterns of files in folders that are not read. */
  readonly exclude: readonly string[];
  /** The source of `-`. */
  readonly stdin: Readable;
}

/**
 * Reads files, the manifests in folders, and standard input. Links below a folder are not followed.
 *
 * @param paths The paths; `-` is standard input.
 * @param options Whether subfolders are read, the excluded files, and standard input.
 * @returns The texts in the order of their paths. Rejects with a {@link UsageError} if a path cannot be read.
 */
export async function readTexts(paths: readonly string[], options: TextOptions): Promise<Texts> {
  const all: Texts[] = [];
  for (const path of paths) all.push(await readable(path, () => textsAt(path, options)));
  return {
    texts: all.flatMap(({ texts }) => texts),
    findings: all.flatMap(({ findings }) => findings),
    excluded: all.reduce((sum, { excluded }) => sum + excluded, 0),
  };
}

async function readable<Value>(path: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new UsageError(isMissing ? `${path} does not exist` : `${path} cannot be read: ${messageOf(error)}`);
  }
}

async function textsAt(path: string, options: TextOptions): Promise<Texts> {
  if (path === '-') return only({ source: 'stdin', text: await textOf(options.stdin) });
  if (!(await stat(path)).isDirectory()) return only({ source: path, text: await readTextFile(path) });
  return textsBelow(path, options);
}

function only(text: ManifestText): Texts {
  return { texts: [text], findings: [], excluded: 0 };
}

async function textsBelow(folder: string, { recursive, exclude }: TextOptions): Promise<Texts> {
  const isExcluded = excludes(exclude, await readFile(join(folder, ignoreFile), 'utf8').catch(() => ''));
  const entries = (await readdir(folder, { recursive, withFileTypes: true }))
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const files = entries.filter(({ entry }) => entry.isFile() && isManifestName(entry.name));
  const links = entries.filter(({ entry }) => entry.isSymbolicLink() && isManifestLink(entry.name));
  if (files.length + links.length === 0 && !recursive) {
    throw new UsageError(`${folder} has no .yaml, .yml or .json files; add -R to read its subfolders`);
  }
  const read = files.filter(({ path }) => !isExcluded(relative(folder, path)));
  const texts: ManifestText[] = [];
  for (const { path } of read) {
    texts.push({ source: path, text: await readable(path, () => readTextFile(path)) });
  }
  const left = links.filter(({ path }) => !isExcluded(relative(folder, path)));
  return {
    texts,
    findings: left.map(({ path }) => linkFinding('left out', path)),
    excluded: files.length - read.length,
  };
}
