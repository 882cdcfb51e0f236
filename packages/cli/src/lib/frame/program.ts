import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { commands } from '../commands/commands.ts';
import { type CommandEntry, commandGroups } from '../model/command.ts';
import { flagsOf } from '../model/command-flags.ts';
import {
  clusterFlags,
  type FlagDefinition,
  type FlagName,
  flags,
  inputFlags,
  type Options,
  outputFlags,
} from '../model/flags.ts';
import { version } from '../model/version.ts';

/** Called with the command that the arguments name, its own arguments, and its options. */
export type OnCommand = (entry: CommandEntry, args: readonly string[], options: Options) => Promise<void>;

/**
 * Creates the parser of the command line from the tables of commands and flags.
 *
 * @param programName How the program was called, for help.
 * @returns The parser. It throws instead of ending the process.
 */
export function createProgram(programName: string, onCommand: OnCommand): Command {
  const program = new Command(programName)
    .description(
      withExamples(
        'Find out which Gateway API policies apply where, which one sets each field, and which ones lose.',
        firstExamples,
        programName,
      ),
    )
    .usage('<command> [flags]')
    .commandsGroup('Other:')
    .helpCommand('help [command]', 'Show help for a command.')
    .helpOption('-h, --help', 'Show help.')
    .version(version, '--version', 'Show the version.')
    .showHelpAfterError(`Run "${programName} --help" for usage.`)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .enablePositionalOptions();
  for (const heading of commandGroups) {
    for (const entry of commands.filter(({ group }) => group === heading)) {
      program.addCommand(commandOf(entry, programName, onCommand).helpGroup(`${heading}:`));
    }
  }
  return program;
}

const firstExamples = [
  ['lint deploy/', 'errors and warnings of a folder, with file and line'],
  ['coverage -A', 'which requests in the cluster are protected'],
  ['explain https://shop.example.com/cart', 'the policies that apply to a request'],
] as const;

/** The flags that many commands have, as help groups them. */
const flagGroups: Readonly<Record<string, readonly FlagName[]>> = {
  'Flags of the input:': [...inputFlags.filter((name) => !isOfCluster(name)), 'only', 'watch'],
  'Flags of the cluster:': inputFlags.filter(isOfCluster),
  'Flags of the output:': outputFlags,
};

function isOfCluster(name: FlagName): boolean {
  return clusterFlags.some((each) => each === name);
}

function commandOf(entry: CommandEntry, programName: string, onCommand: OnCommand): Command {
  const { name, args = '', usage = args, summary, details, examples = [], formats } = entry;
  const command = new Command(name).summary(summary).description(withExamples(summary, examples, programName));
  command.exitOverride().allowExcessArguments(false);
  command.usage(`${usage} [flags]`.trim()).showHelpAfterError(`Run "${programName} ${name} --help" for usage.`);
  for (const argument of args.split(' ').filter((each) => each !== '')) command.addArgument(new Argument(argument));
  const allowed = flagsOf(entry);
  const common = Object.entries(flagGroups).map(([heading, names]) => {
    return { heading, names: allowed.filter((flag) => names.includes(flag)) };
  });
  const special = allowed.filter((flag) => !common.some(({ names }) => names.includes(flag)));
  for (const { heading, names } of [{ heading: 'Flags:', names: special }, ...common]) {
    for (const flag of names) command.addOption(optionOf(flag, formats).helpGroup(heading));
  }
  command.optionsGroup('Flags of the output:').helpOption('-h, --help', 'Show help.');
  if (details !== undefined) command.addHelpText('after', `\n${details}`);
  return command.action(() => onCommand(entry, command.args, optionsIn(command)));
}

/** Returns the options that were given: `--no-headers` has a value without that. */
function optionsIn(command: Command): Options {
  const given = Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) !== 'default');
  return Object.fromEntries(given) as Options;
}

function optionOf(name: FlagName, formats: readonly string[]): Option {
  const flag: FlagDefinition = flags[name];
  const description = name === 'output' ? `${flag.description} One of ${formats.join(', ')}.` : flag.description;
  const option = new Option(flag.spelling, description);
  if (flag.type === 'choice') option.choices(flag.choices);
  if (flag.type === 'list') option.argParser((value: string, all: readonly string[] = []) => [...all, value]);
  if (name === 'output') {
    option.argParser((value: string) => {
      if (formats.includes(value)) return value;
      throw new InvalidArgumentError(`Formats are ${formats.join(', ')}.`);
    });
  }
  return option;
}

/** Returns a description that begins with a sentence, and has examples. */
function withExamples(text: string, examples: NonNullable<CommandEntry['examples']>, programName: string): string {
  const lines = examples.map(([args, meaning]) => `  # ${meaning}\n  ${programName} ${args}`);
  return lines.length === 0 ? text : `${text}\n\nExamples:\n${lines.join('\n')}`;
}
