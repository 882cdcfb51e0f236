import { type Colors, colorsFor } from '@policy-machinery/text';
import { formatFitted } from '@policy-machinery/text/inner';
import { emptinessOf } from '../answers/emptiness.ts';
import { explainGaps, explainInput, explainUnread } from '../answers/explain-input.ts';
import { commands } from '../commands/commands.ts';
import { loadWorld, type Purpose } from '../input/load.ts';
import { checkNamespace } from '../input/scope.ts';
import type { Answer } from '../model/answer.ts';
import type { CommandEntry, Inputs, Request } from '../model/command.ts';
import type { Environment } from '../model/environment.ts';
import type { Options } from '../model/flags.ts';
import type { FormatName } from '../model/formats.ts';
import type { World } from '../model/world.ts';
import { render } from '../output/render.ts';
import { createProgress } from './progress.ts';
import { watchCommand } from './watch-command.ts';

/**
 * 0 if there is nothing to report, 1 for findings or differences, 2 if the command could not do its work, 3 if a guarantee is about nothing, or if
 * `--strict` asks for something to look at; 4 if a guarantee is undecided.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/**
 * Runs a command and prints its answer.
 *
 * @param args The arguments of the command.
 * @param environment Everything that the program reads and writes.
 * @returns The exit code. Rejects with the error that stops the command.
 */
export async function runCommand(
  entry: CommandEntry,
  args: readonly string[],
  given: Options,
  environment: Environment,
): Promise<ExitCode> {
  const options = entry.takesPaths === true ? withPaths(given, args) : given;
  checkNamespace(options);
  if (entry.input === 'served') {
    await (await entry.load()).serve(args, options, environment, commands);
    return 0;
  }
  const { stderr, env, stdin, kubectl, now, programName } = environment;
  const format = formatOf(entry, options);
  const colors = colorsOf(format, options, environment);
  const request: Request = { args, options, colors, now: now(), programName };
  const print = printerOf(format, request, environment);
  const purpose = purposeOf(entry);
  const worlds: World[] = [];
  const read: Inputs['read'] = async (own = options, also = []) => {
    const world = await readWorld(own, environment, { ...purpose, also });
    worlds.push(world);
    return world;
  };

  if (entry.input === 'world' && options.watch) {
    const { answer: command, also = [] } = await entry.load();
    const world = await read(options, also);
    stderr.write(explainGaps(world, options.verbose, true));
    const readAgain = () => readWorld(options, environment, { ...purpose, also });
    await watchCommand({ command, world, readAgain, request, format, environment, print });
    return options.strict === true && isIncomplete(world) ? 2 : 0;
  }
  const explain = (explained: typeof explainInput): void => {
    for (const world of worlds) stderr.write(explainGaps(world, options.verbose) + explained(world, request));
  };
  const answer = await answerTo(entry, { read, env, stdin, kubectl }, options, request).catch((error: unknown) => {
    explain(explainUnread); // Objects that are reported as missing may exist.
    throw error;
  });
  explain(answer.findings === undefined ? explainInput : () => '');
  print(answer);
  return exitCodeOf(answer, worlds, options.strict === true);
}

/** Returns options that also name paths, with their subfolders. */
function withPaths(options: Options, paths: readonly string[]): Options {
  if (paths.length === 0) return options;
  return { ...options, filename: [...(options.filename ?? []), ...paths], recursive: true };
}

function purposeOf(entry: Exclude<CommandEntry, { readonly input: 'served' }>): Purpose {
  const { isList = false, assumesNothing = false, isWhole = false, ignoresStatus } = entry;
  return { isList, assumesNothing, isWhole, ...(ignoresStatus === true ? { ignoreStatus: true } : {}) };
}

function printerOf(format: FormatName, { options, colors }: Request, { stdout, stderr }: Environment) {
  return (answer: Answer, hasHeaders = true): void => {
    const style = { colors, hasHeaders: hasHeaders && options.headers !== false };
    const isTerminal = stdout.isTTY === true && options.watch !== true; // Changes are rows of one list.
    const width = widthOf(stdout);
    stdout.write(render(answer, format, { ...style, width, isTerminal }));
    for (const note of answer.notes ?? [])
      stderr.write(`${stderr.isTTY === true ? formatFitted([[note]], { width }) : note}\n`);
  };
}

function exitCodeOf(answer: Answer, worlds: readonly World[], isStrict: boolean): ExitCode {
  if (isStrict && worlds.some(isIncomplete)) return 2;
  if (answer.findings === undefined && worlds.some(hasErrors)) return 2;
  const [empty] = worlds.flatMap((world) => emptinessOf(world) ?? []);
  if (empty === undefined || answer.exitCode === 1) return answer.exitCode ?? 0;
  // A pipe that brings nothing into a check is a fault of the pipe.
  if (answer.findings !== undefined && empty.what === 'input') return 2;
  return isStrict ? 3 : (answer.exitCode ?? 0);
}

/** Returns whether policies may be hidden: a kind may not be read, or is misspelled. */
function isIncomplete({ gaps, inputIssues }: World): boolean {
  return gaps.length > 0 || inputIssues.some(({ code }) => code === 'misspelled-kind');
}

/** Answers a question about the input that the command reads itself, or about the one world that options name. */
async function answerTo(
  entry: Exclude<CommandEntry, { readonly input: 'served' }>,
  inputs: Inputs,
  options: Options,
  request: Request,
): Promise<Answer> {
  if (entry.input !== 'world') return (await entry.load()).answer(inputs, request);
  const { answer, also } = await entry.load();
  return answer(await inputs.read(options, also), request);
}

/** The width of a terminal that does not say, and of a pipe. */
const usualWidth = 80;

/** Returns the width of text for people. A terminal that is very narrow breaks lines itself. */
function widthOf({ isTTY, columns = usualWidth }: Environment['stdout']): number {
  return isTTY ? Math.max(columns, usualWidth / 2) : usualWidth;
}

/** Returns whether something in the files of a world could not be read: then the answer is about the rest. */
function hasErrors({ inputIssues }: World): boolean {
  return inputIssues.some(({ severity }) => severity === 'error');
}

async function readWorld(options: Options, environment: Environment, purpose: Purpose): Promise<World> {
  const progress = createProgress(environment.stderr);
  try {
    return await loadWorld(options, environment, progress.onProgress, purpose);
  } finally {
    progress.end();
  }
}

function formatOf({ formats: [first] }: CommandEntry, { output = first }: Options): FormatName {
  return output as FormatName; // The parser has checked the word.
}

/** Returns the colours of an answer; none except for tables. `--color` prevails over `NO_COLOR`. */
function colorsOf(format: FormatName, { color = 'auto' }: Options, { stdout, env }: Environment): Colors {
  const isText = format === 'table' || format === 'wide';
  if (!isText || color === 'never') return colorsFor({}, {});
  return color === 'always' ? colorsFor({ isTTY: true }, {}) : colorsFor(stdout, env);
}
