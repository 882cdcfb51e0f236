import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from './comment.ts';
import { type Inputs, type Source, titleOf } from './inputs.ts';
import { type Printed, printedBy, type Run } from './programs.ts';

/** What the checks of a pull request come to. */
export interface Checked {
  readonly parts: readonly Part[];
  /** The annotations of lines, as commands of the workflow. */
  readonly annotations: string;
  /** Whether something fails. */
  readonly isFailed: boolean;
}

/** Where the two commits are. */
export interface Commits {
  /** The checkout of the pull request. */
  readonly head: string;
  /** A commit or a branch, from which the pull request began. */
  readonly base: string;
  /** A folder for what is rendered, outside of the checkout. */
  readonly work: string;
}

/**
 * Compares and checks each source at two commits.
 *
 * @param inputs The inputs of the action.
 * @param commits The commits.
 * @param run Runs git, kubectl, helm and gwpolicy.
 * @returns The outcome. Rejects if something cannot be rendered or gwpolicy could not do its work.
 */
export async function check(inputs: Inputs, { head, base, work }: Commits, run: Run): Promise<Checked> {
  const old = join(work, 'base');
  const began = (await printedBy(run, 'git', ['merge-base', base, 'HEAD'], head)).trim();
  // Hooks are programs; none is run for a commit of others.
  const add = ['-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--detach', old, began];
  await printedBy(run, 'git', add, head);
  try {
    const all: Outcome[] = [];
    for (const [index, source] of inputs.sources.entries()) {
      const asked =
        source.tool === 'files'
          ? askedOfFiles(source.path, head, began)
          : await askedOfRendered(source, { head, old, work: join(work, String(index)) }, run);
      all.push(await checkSource(source, asked, inputs, head, run));
    }
    return {
      parts: all.map(({ part }) => part),
      annotations: all.map(({ annotations }) => annotations).join(''),
      isFailed: all.some(({ isFailed }) => isFailed),
    };
  } finally {
    await run('git', ['worktree', 'remove', '--force', old], head);
  }
}

interface Outcome {
  readonly part: Part;
  readonly annotations: string;
  readonly isFailed: boolean;
}

/** What gwpolicy is asked about a source, in which folder. */
interface Asked {
  readonly cwd: string;
  /** The arguments of `diff`. */
  readonly sides: readonly string[];
  /** The flags of other commands. */
  readonly read: readonly string[];
  /** Whether lines are of files in the pull request. */
  readonly hasLines: boolean;
}

function askedOfFiles(path: string, head: string, began: string): Asked {
  return { cwd: head, sides: ['--git', `${began}..HEAD`, path], read: ['-R', '-f', path], hasLines: true };
}

interface Folders {
  readonly head: string;
  readonly old: string;
  readonly work: string;
}

async function askedOfRendered(
  source: Exclude<Source, { readonly tool: 'files' }>,
  { head, old, work }: Folders,
  run: Run,
): Promise<Asked> {
  mkdirSync(work, { recursive: true });
  for (const [folder, name] of [
    [old, 'before.yaml'],
    [head, 'after.yaml'],
  ] as const) {
    writeFileSync(join(work, name), await rendered(source, folder, run));
  }
  return { cwd: work, sides: ['before.yaml', 'after.yaml'], read: ['-f', 'after.yaml'], hasLines: false };
}

/** Renders a source at a commit. What is not there has no objects: a chart may be new. */
async function rendered(source: Source, folder: string, run: Run): Promise<string> {
  const isThere = (await run('git', ['ls-files', '--error-unmatch', '--', source.path], folder)).code === 0;
  if (!isThere) return '';
  if (source.tool !== 'helm') return printedBy(run, 'kubectl', ['kustomize', `./${source.path}`], folder);
  const values = source.values.flatMap((path) => ['--values', path]);
  return printedBy(run, 'helm', ['template', 'release', `./${source.path}`, ...values], folder);
}

async function checkSource(
  source: Source,
  { cwd, sides, read, hasLines }: Asked,
  { guarantees, failOn }: Inputs,
  head: string,
  run: Run,
): Promise<Outcome> {
  const gwpolicy = (args: readonly string[]) => run('gwpolicy', args, cwd).then(done);
  const files = hasLines ? guarantees : guarantees.map((path) => join(head, path));
  const lint = ['lint', ...read, '--fail-on', 'error'];
  const verify = files.length === 0 ? [] : [['verify', ...read, ...files]];
  const diff = await gwpolicy(['diff', ...sides, '-o', 'markdown', '--fail-on', failOn]);
  const [linted, ...verified] = await inTurn(
    [lint, ...verify].map((args) => [...args, '-o', 'markdown']),
    gwpolicy,
  );
  const annotations = await inTurn(
    (hasLines ? [lint, ...verify] : []).map((args) => [...args, '-o', 'github']),
    gwpolicy,
  );
  return {
    part: {
      title: titleOf(source),
      changes: diff.stdout,
      findings: linted?.stdout ?? '',
      guarantees: verified.map(({ stdout }) => stdout).join(''),
    },
    annotations: annotations.map(({ stdout }) => stdout).join(''),
    isFailed: [diff, linted, ...verified].some((printed) => printed?.code !== 0),
  };
}

/** Runs commands one after the other. */
async function inTurn(
  commands: readonly (readonly string[])[],
  run: (args: readonly string[]) => Promise<Printed>,
): Promise<readonly Printed[]> {
  const printed: Printed[] = [];
  for (const command of commands) printed.push(await run(command));
  return printed;
}

/** The exit codes of gwpolicy for answers: nothing, something, a guarantee about nothing, an undecided one. */
const answers: readonly number[] = [0, 1, 3, 4];

/** Returns what a check printed, also if it found something. */
function done(printed: Printed): Printed {
  if (answers.includes(printed.code)) return printed;
  throw new Error(`gwpolicy could not do its work: ${printed.stderr.trim()}`);
}
