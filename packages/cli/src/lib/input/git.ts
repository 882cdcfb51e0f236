import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Issue } from '@policy-machinery/resource';
import { type Manifests, parseManifests } from '@policy-machinery/resource/manifests';
import { UsageError } from '../frame/usage-error.ts';
import { combine, type FileReading } from './files.ts';

/**
 * Reads manifests of a revision from git, into memory: nothing is checked out.
 *
 * @param revision A commit, a branch or a tag.
 * @param paths Files and folders of the repository, as they are now or were then.
 * @returns The objects; positions name the files as `paths` do. Rejects with a {@link UsageError} that contains the message of git.
 */
export async function readRevision(revision: string, paths: readonly string[]): Promise<FileReading> {
  const issues: Issue[] = [];
  const onIssue = (issue: Issue): void => {
    issues.push(issue);
  };
  const manifests: Manifests[] = [];
  for (const path of paths) {
    const { folder, pathspec } = await placeOf(path);
    const files = await listFiles(folder, revision, pathspec);
    const texts = await readBlobs(
      folder,
      files.map(({ id }) => id),
    );
    for (const [index, { name }] of files.entries()) {
      const source = sourceOf(path, name, pathspec);
      manifests.push(parseManifests({ source, text: texts[index] ?? '' }, { onIssue }));
    }
  }
  return combine(manifests, issues);
}

/**
 * Returns the commit at which two revisions diverged: the one that a pull request is compared with.
 *
 * @param one A revision.
 * @param other Another revision.
 * @param path A file or folder of the repository.
 * @returns The commit. Rejects with a {@link UsageError} if there is none.
 */
export async function mergeBase(one: string, other: string, path: string): Promise<string> {
  const { folder } = await placeOf(path);
  for (const revision of [one, other]) checkRevision(revision);
  return (await git(folder, ['merge-base', one, other], `${one}...${other}`)).toString('utf8').trim();
}

function checkRevision(revision: string): void {
  if (revision.startsWith('-')) throw new UsageError(`${revision} is no revision; name a branch, a tag or a commit`);
}

/** Returns where to ask git for a path: in the nearest folder that exists. */
async function placeOf(path: string): Promise<{ readonly folder: string; readonly pathspec: string }> {
  const rest: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() === true) return { folder, pathspec: rest.length === 0 ? '.' : join(...rest) };
    rest.unshift(basename(folder));
  }
}

function sourceOf(path: string, name: string, pathspec: string): string {
  return pathspec === '.' ? join(path, name) : name === pathspec ? path : join(path, name.slice(pathspec.length + 1));
}

/** A file of a revision: the object that holds its text, and its name below the folder. */
interface Blob {
  readonly id: string;
  readonly name: string;
}

async function listFiles(folder: string, revision: string, pathspec: string): Promise<readonly Blob[]> {
  checkRevision(revision);
  const listing = await git(folder, ['ls-tree', '-r', '-z', revision, '--', pathspec], revision);
  return listing
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, id, name] = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      return id !== undefined && name !== undefined && /\.(ya?ml|json)$/i.test(name) ? [{ id, name }] : [];
    });
}

/** Returns the texts of objects, in their order. */
async function readBlobs(folder: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const output = await git(folder, ['cat-file', '--batch'], '', `${ids.join('\n')}\n`);
  const texts: string[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at);
    const size = Number(output.toString('utf8', at, end).split(' ')[2]);
    texts.push(output.toString('utf8', end + 1, end + 1 + size));
    at = end + size + 2;
  }
  return texts;
}

/** Runs git, and returns what it prints. */
function git(folder: string, args: readonly string[], revision: string, input = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['-C', folder, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    const [output, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', (error) => reject(new UsageError(`git cannot be run: ${error.message}`)));
    child.on('close', (code) => {
      const said = Buffer.concat(errors).toString('utf8').trim();
      if (code === 0) resolve(Buffer.concat(output));
      else reject(new UsageError(`git cannot read ${revision || folder}: ${said.replace(/^fatal: /, '')}`));
    });
    child.stdin.on('error', () => undefined); // The message of git is enough.
    child.stdin.end(input);
  });
}
