import { type Colors, colorsFor } from '@policy-machinery/text';
import { loadWorld } from '../input/load.ts';
import type { World } from '../input/world.ts';
import { render } from '../output/render.ts';
import type { Answer } from './answer.ts';
import type { CommandEntry, Request } from './command.ts';
import type { Environment } from './environment.ts';
import { explainGaps, explainInput } from './explain-input.ts';
import type { Options } from './flags.ts';
import type { FormatName } from './formats.ts';
import { createProgress } from './progress.ts';
import { watchCommand } from './watch-command.ts';

/** What the exit code says: nothing to report; findings or differences; or that the work could not be done. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs a command and prints its answer.
 *
 * @param entry The command.
 * @param args The arguments of the command.
 * @param options The options of the command.
 * @param environment What surrounds the program.
 * @returns The exit code. Rejects with what keeps the command from its work.
 */
export async function runCommand(
  entry: CommandEntry,
  args: readonly string[],
  options: Options,
  environment: Environment,
): Promise<ExitCode> {
  const { stderr, env, now, programName } = environment;
  const format = formatOf(entry, options);
  const colors = colorsOf(format, options, environment);
  const request: Request = { args, options, colors, now: now(), programName };
  if (options.watch && entry.input === 'world') return watchCommand({ entry, request, format, environment });
  const worlds: World[] = [];
  const read = async (own = options): Promise<World> => {
    const progress = createProgress(stderr);
    try {
      const world = await loadWorld(own, environment, progress.onProgress);
      worlds.push(world);
      return world;
    } finally {
      progress.end();
    }
  };
  const answer =
    entry.input === 'world'
      ? (await entry.load()).answer(await read(), request)
      : await (await entry.load()).answer({ read, env }, request);
  for (const world of worlds) stderr.write(explainGaps(world) + (answer.findings ? '' : explainInput(world, request)));
  print(answer, format, { colors, options, environment });
  return options.strict && worlds.some(({ gaps }) => gaps.length > 0) ? 2 : (answer.exitCode ?? 0);
}

/** How an answer is printed. */
export interface PrintContext {
  readonly colors: Colors;
  readonly options: Options;
  readonly environment: Pick<Environment, 'stdout' | 'stderr'>;
}

/** Prints an answer to standard output, and its notes to standard error. */
export function print(
  answer: Answer,
  format: FormatName,
  { colors, options, environment: { stdout, stderr } }: PrintContext,
): void {
  for (const note of answer.notes ?? []) stderr.write(`${note}\n`);
  const text = render(answer, format, { colors, hasHeaders: options.headers !== false });
  if (text !== '') stdout.write(text);
}

function formatOf({ formats: [first] }: CommandEntry, { output = first }: Options): FormatName {
  return output as FormatName; // The parser has checked the word.
}

/** Whoever asks for colours gets them, whatever NO_COLOR says; other formats than texts never have any. */
function colorsOf(format: FormatName, { color = 'auto' }: Options, { stdout, env }: Environment): Colors {
  const isText = format === 'table' || format === 'wide';
  if (!isText || color === 'never') return colorsFor({}, {});
  return color === 'always' ? colorsFor({ isTTY: true }, {}) : colorsFor(stdout, env);
}
