import { Readable } from 'node:stream';
import { colorsFor } from '@policy-machinery/text';
import { explainGaps, explainInput } from '../answers/explain-input.ts';
import { loadWorld } from '../input/load.ts';
import type { CommandEntry, Inputs, Request } from '../model/command.ts';
import type { Environment } from '../model/environment.ts';
import type { Options } from '../model/flags.ts';
import { UsageError } from '../model/usage-error.ts';
import type { World } from '../model/world.ts';
import { render } from '../output/render.ts';
import type { Question } from './tools.ts';

/** The command and flags that a server was started for. */
export interface Started {
  /** The flags of the input. */
  readonly options: Options;
  readonly guarantees: readonly string[];
  /** All commands; some answer questions. */
  readonly commands: readonly CommandEntry[];
}

const plain = { colors: colorsFor({}, {}), hasHeaders: true, width: 100, isTerminal: false };

/**
 * Answers a question about the input that a server was started for, and reads it again. Whatever the question asks, nothing else is read.
 *
 * @param command The name of a command.
 * @param started The files or the cluster.
 * @param environment Everything that the program reads.
 * @returns The answer as text: first the notes about it, so that they are on its first page. Rejects with the error that stops the command.
 */
export async function answerText(
  command: string,
  question: Question,
  started: Started,
  environment: Environment,
): Promise<string> {
  const entry = started.commands.find(({ name }) => name === command);
  if (entry === undefined || entry.input === 'served') throw new TypeError(`unknown command ${command}`);
  const { isList = false, assumesNothing = false } = entry;
  const worlds: World[] = [];
  const read: Inputs['read'] = async (_options, also = []) => {
    const { only } = question.options ?? {};
    const options = { ...started.options, allNamespaces: true, ...(only === undefined ? {} : { only }) };
    const world = await loadWorld(options, environment, () => {}, { isList, assumesNothing, also });
    worlds.push(world);
    return world;
  };
  const { env, now, programName } = environment;
  const request: Request = { ...asked(entry.name, question, started), colors: plain.colors, now: now(), programName };
  const stdin = Readable.from([question.text ?? '']);
  const answer =
    entry.input === 'world'
      ? (await entry.load()).answer(await read(), request)
      : await (await entry.load()).answer({ read, env, stdin, kubectl: refused }, request);
  const caveats = worlds.map((each) => explainGaps(each) + (answer.findings ? '' : explainInput(each, request)));
  const notes = (answer.notes ?? []).map((note) => `${note}\n`);
  return [...caveats, ...notes, render(answer, 'table', plain)].join('');
}

/** Returns the arguments and options of a command: the question's, and the server's for kinds. */
function asked(
  command: string,
  question: Question,
  { options, guarantees }: Started,
): Pick<Request, 'args' | 'options'> {
  const { args = [], text } = question;
  const { namespace, only, kinds, dialect, ignoreStatus } = options;
  const own: Options = {
    ...(namespace === undefined ? {} : { namespace }),
    ...(only === undefined ? {} : { only }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(ignoreStatus === undefined ? {} : { ignoreStatus }),
    allNamespaces: true,
    ...question.options,
  };
  if (command === 'verify') return { args: text === undefined ? guarantees : ['-'], options: own };
  if (command !== 'impact') return { args, options: own };
  if (text === undefined && own.remove?.length === 0) throw new UsageError('name the change: apply or remove');
  return {
    args,
    options: {
      ...own,
      ...(text === undefined ? {} : { filename: ['-'] }),
      ...(guarantees.length === 0 ? {} : { guarantees }),
    },
  };
}

/** Manifests in a question are text, so nothing is left for kubectl to do. */
async function refused(): Promise<never> {
  throw new UsageError('a question cannot start kubectl');
}
