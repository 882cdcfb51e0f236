import { assumedNotes } from '../answers/explain-input.ts';
import { changeAnswer } from '../changes/change-answer.ts';
import { compareSides, type Side, type Sides } from '../changes/compare.ts';
import { guaranteeChanges } from '../changes/guarantee-changes.ts';
import { requestChanges } from '../changes/request-changes.ts';
import { readFiles } from '../input/files/files.ts';
import { mergeBase, readRevision } from '../input/git/read-revision.ts';
import { unrenderedText } from '../input/gitops/unrendered.ts';
import type { Answer } from '../model/answer.ts';
import type { Inputs, Request } from '../model/command.ts';
import { rendered } from '../model/unrendered.ts';
import { UsageError } from '../model/usage-error.ts';

/** Answers what changes for each target between two sets of manifests: two folders or two revisions. */
export async function answer(inputs: Inputs, request: Request): Promise<Answer> {
  const { options } = request;
  const sides = options.git === undefined ? await readFolders(inputs, request) : await readGit(inputs, request);
  const comparison = await compareSides(sides, options);
  const guarantees = await guaranteeChanges(comparison, options, inputs);
  const changes = changeAnswer(comparison, request, guarantees, requestChanges(comparison, options));
  const notRendered = unrenderedText(comparison.after.unrendered);
  const about = notRendered === '' ? [] : [notRendered];
  return { ...changes, notes: [...assumedNotes(comparison.after.assumed), ...about, ...comparison.notes] };
}

async function readFolders(inputs: Inputs, { args, options: { exclude = [] }, programName }: Request): Promise<Sides> {
  const [before, after] = args;
  if (before === undefined || after === undefined || args.length > 2) {
    throw new UsageError(
      `name two files or folders, such as "${programName} diff main/ branch/", or revisions with --git main..HEAD`,
    );
  }
  return [await readPaths(inputs, [before], exclude), await readPaths(inputs, [after], exclude)];
}

async function readGit(inputs: Inputs, { args, options: { git = '', exclude = [] } }: Request): Promise<Sides> {
  const paths = args.length > 0 ? args : ['.'];
  const [from = '', to, ...more] = git.split(/\.{2,3}/);
  if (from === '' || to === '' || more.length > 0) {
    throw new UsageError(`--git ${git} names no revisions; write main..HEAD, or main for what differs from main now`);
  }
  const isFromBase = git.includes('...') && to !== undefined;
  const before = await readRevision(isFromBase ? await mergeBase(from, to, paths[0] ?? '.') : from, paths, exclude);
  if (to === undefined) return [before, await readPaths(inputs, paths, exclude)];
  const after = await readRevision(to, paths, exclude);
  const unknown = before.absent.find((path) => after.absent.includes(path));
  if (unknown !== undefined) throw new UsageError(`neither ${from} nor ${to} has ${unknown}; correct the path`);
  return [before, after];
}

async function readPaths(inputs: Inputs, filename: readonly string[], exclude: readonly string[]): Promise<Side> {
  const reading = await readFiles({ filename, recursive: true, exclude }, inputs);
  return reading ?? { objects: [], issues: [], locate: (issue) => issue, unrendered: rendered };
}
