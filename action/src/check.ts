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
          ? await askedOfFiles(source.path, head, began, run)
          : await askedOfRendered(source, { head, old, work: join(work, String(index)) }, run);
      all.push(await checkSource(source, asked, inputs, { head, base, began }, run));
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
  /** The folder with tests, if it has some at one of the commits. */
  readonly tests?: string;
}

async function askedOfFiles(path: string, head: string, began: string, run: Run): Promise<Asked> {
  const sides = ['--git', `${began}..HEAD`, path];
  const asked: Asked = { cwd: head, sides, read: ['-R', '-f', path], hasLines: true };
  return (await hasTests(path, head, [began, 'HEAD'], run)) ? { ...asked, tests: path } : asked;
}

/** Returns whether a folder has tests at one of some commits. */
async function hasTests(path: string, head: string, commits: readonly string[], run: Run): Promise<boolean> {
  for (const commit of commits) {
    const args = ['ls-tree', '-r', '-z', '--name-only', commit, '--', path];
    const names = await printedBy(run, 'git', args, head);
    if (names.split('\0').some((name) => /\.policy-test\.ya?ml$/i.test(name))) return true;
  }
  return false;
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

/** The checkout of the pull request, and two commits: the one that it is merged into, and the one from which it began. */
interface Pull {
  readonly head: string;
  readonly base: string;
  readonly began: string;
}

async function checkSource(
  source: Source,
  { cwd, sides, read, hasLines, tests }: Asked,
  { guarantees, failOn, noNewAccess }: Inputs,
  { head, base, began }: Pull,
  run: Run,
): Promise<Outcome> {
  const gwpolicy = (args: readonly string[]) => run('gwpolicy', args, cwd).then(done);
  const files = hasLines ? guarantees : guarantees.map((path) => join(head, path));
  // A pull request can edit the guarantees and tests, or begin before they were added: those that it is merged into count as well.
  const trusted = ['--base', base];
  const lint = ['lint', ...read, '--fail-on', 'error'];
  const verify = files.length === 0 ? [] : [['verify', ...read, ...files, ...trusted]];
  const test = tests === undefined ? [] : [['test', tests, ...trusted]];
  const named = files.flatMap((path) => ['--guarantees', path]);
  const access = noNewAccess ? ['--no-new-access'] : [];
  const compare = ['diff', ...sides, ...named, ...access, '--base', began, '--requests', '-o', 'markdown'];
  const diff = await gwpolicy([...compare, '--fail-on', failOn]);
  const printed = (commands: readonly (readonly string[])[], format: string) =>
    inTurn(
      commands.map((args) => [...args, '-o', format]),
      gwpolicy,
    );
  const linted = await printed([lint], 'markdown');
  const verified = await printed(verify, 'markdown');
  const tested = await printed(test, 'markdown');
  const annotations = hasLines ? await printed([lint, ...verify, ...test], 'github') : [];
  return {
    part: {
      title: titleOf(source),
      changes: diff.stdout,
      findings: textOf(linted),
      guarantees: textOf(verified),
      tests: textOf(tested),
    },
    annotations: textOf(annotations),
    isFailed: [diff, ...linted, ...verified, ...tested].some(({ code }) => code !== 0),
  };
}

function textOf(printed: readonly Printed[]): string {
  return printed.map(({ stdout }) => stdout).join('');
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
