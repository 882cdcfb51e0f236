import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from '@policy-machinery/resource';
import { parseAllDocuments } from 'yaml';
import type { SchemaSource } from './sources.ts';

/** A CustomResourceDefinition, with the SHA-256 of its file. */
export interface DefinitionInFile {
  readonly definition: KubernetesObject;
  readonly sha256: string;
}

/** The lines that charts fill in: labels and annotations, which no schema has. */
const lineOfTemplate = /^.*\{\{.*$/gm;

/**
 * Reads the definitions of a project.
 *
 * @param source The project.
 * @param folder The folder with the data of existing systems.
 * @param isOffline Whether only the Go modules count that have been downloaded. Default: others are downloaded.
 * @returns The definitions; `undefined` if the files are not on this machine and cannot be downloaded.
 */
export function definitionsOf(
  source: SchemaSource,
  folder: string,
  isOffline = false,
): readonly DefinitionInFile[] | undefined {
  const path = folderOf(source, folder, isOffline);
  if (path === undefined || !existsSync(path)) return undefined;
  const files = readdirSync(path).filter((name) => name.endsWith('.yaml'));
  return files.sort().flatMap((name) => {
    const text = readFileSync(join(path, name), 'utf8');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const documents = parseAllDocuments(text.replaceAll(lineOfTemplate, '')).map((document): KubernetesObject | null =>
      document.toJS(),
    );
    return documents.flatMap((definition) =>
      definition?.kind === 'CustomResourceDefinition' ? [{ definition, sha256 }] : [],
    );
  });
}

function folderOf({ from }: SchemaSource, folder: string, isOffline: boolean): string | undefined {
  if ('copies' in from) return join(folder, from.copies);
  try {
    const env = isOffline ? { ...process.env, GOPROXY: 'off' } : process.env;
    const options = { encoding: 'utf8', stdio: 'pipe', env, cwd: tmpdir() } as const;
    const answer = execFileSync('go', ['mod', 'download', '-json', from.module], options);
    return join((JSON.parse(answer) as { readonly Dir: string }).Dir, from.folder);
  } catch {
    return undefined;
  }
}
