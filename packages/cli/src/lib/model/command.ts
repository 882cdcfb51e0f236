import type { Colors } from '@policy-machinery/text';
import type { RequiredKind } from '@policy-machinery/topology';
import type { Answer } from './answer.ts';
import type { Environment } from './environment.ts';
import type { FlagName, Options } from './flags.ts';
import type { FormatName } from './formats.ts';
import type { World } from './world.ts';

/** The request to a command: its arguments and options. */
export interface Request {
  readonly args: readonly string[];
  readonly options: Options;
  /** Colours for the answer; none unless the answer is text for a terminal. */
  readonly colors: Colors;
  readonly now: Date;
  /** How the program was called: `gwpolicy` or `kubectl gwpolicy`. */
  readonly programName: string;
}

/** Answers a question about one world. Pure: the same world and request give the same answer. */
export type WorldCommand = (world: World, request: Request) => Answer;

export interface WorldCommandModule {
  readonly answer: WorldCommand;
  /** Kinds to read in a cluster beside those that policies need. Default: none. */
  readonly also?: readonly RequiredKind[];
}

/** The inputs of a command that chooses its input. */
export interface Inputs extends Pick<Environment, 'stdin' | 'kubectl'> {
  /**
   * Reads the objects that options name.
   *
   * @param options Options in place of those of the request.
   * @param also Further kinds to read in a cluster. Default: none.
   * @returns The world.
   */
  read(options?: Options, also?: readonly RequiredKind[]): Promise<World>;

  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Answers a question about several worlds, or none. */
export type FreeCommand = (inputs: Inputs, request: Request) => Answer | Promise<Answer>;

/** Answers the questions of clients until they have gone, by some of all commands. Rejects with the error that stops it. */
export type Serve = (
  args: readonly string[],
  options: Options,
  environment: Environment,
  commands: readonly CommandEntry[],
) => Promise<void>;

/** The groups of commands, in the order of the help. */
export const commandGroups = ['Ask', 'Check', 'Compare', 'Show', 'Other'] as const;

/** The description of a command. Its code is loaded when the command is called. */
export type CommandEntry = {
  readonly name: string;
  /** Its group in the help of the program. */
  readonly group: (typeof commandGroups)[number];
  /** Its arguments, as help shows them: `<target> [pointer]`. Default: none. */
  readonly args?: string;
  /** How its help writes the arguments: `KIND/NAME [/POINTER]`. Default: as `args`. */
  readonly usage?: string;
  /** Further lines for its help. Default: none. */
  readonly details?: string;
  readonly summary: string;
  /** Examples for its help: arguments, with their meaning. */
  readonly examples?: readonly (readonly [args: string, meaning: string])[];
  /** Its flags beside the flags of its input and output. Default: none. */
  readonly flags?: readonly FlagName[];
  /** Whether the command compares statuses, so that they do not count in its world. Default: they do. */
  readonly ignoresStatus?: boolean;
  /** Whether Gateways that nothing declares are missing, so that no route is below them. Default: they are assumed. */
  readonly assumesNothing?: boolean;
  /** Whether files stand for a whole cluster, as the files of a test do. Default: anything may be applied from elsewhere. */
  readonly isWhole?: boolean;
  /** Whether its arguments are files and folders with their subfolders, like the values of `-R -f`. Default: no. */
  readonly takesPaths?: boolean;
  /** Whether its answer is a list, which shows the namespace of `-n` alone, as kubectl's lists do. Default: no. */
  readonly isList?: boolean;
  /** The formats of its answer; the first one is the default. A command that serves has none. */
  readonly formats: readonly FormatName[];
} & (
  | { readonly input: 'world'; readonly load: () => Promise<WorldCommandModule> }
  | { readonly input: 'own'; readonly load: () => Promise<{ readonly answer: FreeCommand }> }
  | { readonly input: 'served'; readonly load: () => Promise<{ readonly serve: Serve }> }
);
