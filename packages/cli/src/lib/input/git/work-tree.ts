import { lstat } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { UsageError } from '../../model/usage-error.ts';
import { runGit } from './run-git.ts';

export interface GitPath {
  /** The top of the work tree, where git runs. */
  readonly top: string;
  /** The path in the trees of its revisions, with slashes; empty for the top itself. */
  readonly name: string;
}

/**
 * Returns where a path is in git. Only folders with a `.git` count, which no commit can contain: everything else in a work tree is data.
 *
 * @param path A file or folder, which need not exist now.
 * @param what A name for the data there, for the message of an error.
 * @returns The work tree that the caller is in, if it contains the path; otherwise the work tree around the path. Rejects with a
 * {@link UsageError} if there is neither.
 */
export async function gitPathOf(path: string, what: string): Promise<GitPath> {
  const here = await callersTop();
  const within = here === undefined ? undefined : nameIn(here, path);
  if (here !== undefined && within !== undefined) return { top: here, name: within };
  const top = await topAround(resolve(path));
  if (top === undefined) {
    throw new UsageError(`git cannot read ${what}: ${path} is not in a work tree; for a bare repository, set GIT_DIR`);
  }
  return { top, name: nameIn(top, path) ?? '' };
}

/** Returns the top of the caller's work tree. As for git, it is the working directory if `GIT_DIR` is set. */
async function callersTop(): Promise<string | undefined> {
  const here = process.cwd();
  if (process.env.GIT_DIR !== undefined) return here;
  for (let folder = here; ; folder = dirname(folder)) {
    if (await isTop(folder)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Returns the lowest work tree around a path that is reached without a link or a submodule of another one: these are data. */
async function topAround(path: string): Promise<string | undefined> {
  let top: string | undefined;
  let folder = parse(path).root;
  for (const part of ['', ...path.slice(folder.length).split(sep)]) {
    folder = join(folder, part);
    const found = await lstat(folder).catch(() => undefined);
    if (found === undefined || (top !== undefined && found.isSymbolicLink())) break;
    if ((await isTop(folder)) && (top === undefined || !(await isSubmodule(folder)))) top = folder;
  }
  return top;
}

/** Returns whether a folder has a `.git`, which no commit can contain. */
async function isTop(folder: string): Promise<boolean> {
  return (await lstat(join(folder, '.git')).catch(() => undefined)) !== undefined;
}

async function isSubmodule(top: string): Promise<boolean> {
  return (await runGit(top, ['rev-parse', '--show-superproject-working-tree'], top)).length > 0;
}

function nameIn(top: string, path: string): string | undefined {
  const name = relative(top, resolve(path));
  if (name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name)) return undefined;
  return name.split(sep).join('/');
}
