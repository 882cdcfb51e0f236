import { readFiles } from '../input/files/files.ts';
import { mergeBase, readRevision } from '../input/git/read-revision.ts';
import type { Inputs, Request } from '../model/command.ts';
import { rendered } from '../model/unrendered.ts';
import { UsageError } from '../model/usage-error.ts';
import type { Side, Sides } from './compare.ts';

/**
 * Reads the two sides of a comparison: two files or folders, or two revisions with `--git`.
 *
 * @param inputs Standard input and kubectl.
 * @param command The name of the command, for messages. Default: `diff`.
 * @returns The objects before and after. Rejects with a {@link UsageError} if the arguments name no two sides.
 */
export async function readSides(inputs: Inputs, request: Request, command = 'diff'): Promise<Sides> {
  const revisions = await revisionsOf(request);
  const { exclude = [] } = request.options;
  return revisions === undefined ? readFolders(inputs, request, command) : readGit(inputs, revisions, exclude);
}

async function readFolders(
  inputs: Inputs,
  { args, options: { exclude = [] }, programName }: Request,
  command: string,
): Promise<Sides> {
  const [before, after] = args;
  if (before === undefined || after === undefined || args.length > 2) {
    throw new UsageError(
      `name two files or folders, such as "${programName} ${command} main/ branch/", or revisions with --git main..HEAD`,
    );
  }
  return [await readPaths(inputs, [before], exclude), await readPaths(inputs, [after], exclude)];
}

/** The revisions that `--git` names. */
export interface Revisions {
  /** The written text: `main...HEAD`. */
  readonly range: string;
  readonly from: string;
  /** `undefined` for the work tree. */
  readonly to: string | undefined;
  readonly paths: readonly string[];
}

/**
 * Returns the revisions that a command compares: of `main...HEAD`, the commit where both diverged is the first one.
 *
 * @returns The revisions; `undefined` without `--git`. Rejects with a {@link UsageError} if the option names none.
 */
export async function revisionsOf({ args, options: { git } }: Request): Promise<Revisions | undefined> {
  if (git === undefined) return undefined;
  const paths = args.length > 0 ? args : ['.'];
  const [from = '', to, ...more] = git.split(/\.{2,3}/);
  if (from === '' || to === '' || more.length > 0) {
    throw new UsageError(
      `--git ${git} does not name revisions; write main..HEAD, or main to compare the working tree with main`,
    );
  }
  const isFromBase = git.includes('...') && to !== undefined;
  return { range: git, from: isFromBase ? await mergeBase(from, to, paths[0] ?? '.') : from, to, paths };
}

async function readGit(
  inputs: Inputs,
  { range, from, to, paths }: Revisions,
  exclude: readonly string[],
): Promise<Sides> {
  const before = await readRevision(from, paths, exclude);
  if (to === undefined) return [before, await readPaths(inputs, paths, exclude)];
  const after = await readRevision(to, paths, exclude);
  const unknown = before.absent.find((path) => after.absent.includes(path));
  if (unknown !== undefined) throw new UsageError(`neither revision of ${range} has ${unknown}; correct the path`);
  return [before, after];
}

async function readPaths(inputs: Inputs, filename: readonly string[], exclude: readonly string[]): Promise<Side> {
  const reading = await readFiles({ filename, recursive: true, exclude }, inputs);
  return reading ?? { objects: [], issues: [], locate: (issue) => issue, unrendered: rendered };
}
