import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { commands } from '../commands/commands.ts';
import type { CommandEntry } from '../model/command.ts';
import { flagsOf } from '../model/command-flags.ts';
import { type FlagDefinition, type FlagName, flags, type Options } from '../model/flags.ts';
import { version } from '../model/version.ts';

/** Called with the command that the arguments name, its own arguments, and its options. */
export type OnCommand = (entry: CommandEntry, args: readonly string[], options: Options) => Promise<void>;

/**
 * Creates the parser of the command line from the tables of commands and flags.
 *
 * @param programName How the program was called, for help.
 * @param onCommand Runs a command.
 * @returns The parser. It throws instead of ending the process.
 */
export function createProgram(programName: string, onCommand: OnCommand): Command {
  const program = new Command(programName)
    .description('Which Gateway API policies apply where, who set what, and who lost.')
    .usage('<command> [flags]')
    .helpCommand('help [command]', 'Show help for a command.')
    .helpOption('-h, --help', 'Show help.')
    .version(version, '--version', 'Show the version.')
    .showHelpAfterError(`Run "${programName} --help" for usage.`)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .enablePositionalOptions();
  for (const entry of commands) program.addCommand(commandOf(entry, programName, onCommand));
  return program;
}

function commandOf(entry: CommandEntry, programName: string, onCommand: OnCommand): Command {
  const { name, args = '', usage = args, summary, details, examples = [], formats } = entry;
  const command = new Command(name).summary(summary).description(summary).exitOverride().allowExcessArguments(false);
  command.usage(`${usage} [flags]`.trim()).showHelpAfterError(`Run "${programName} ${name} --help" for usage.`);
  for (const argument of args.split(' ').filter((each) => each !== '')) command.addArgument(new Argument(argument));
  for (const flag of flagsOf(entry)) command.addOption(optionOf(flag, formats));
  command.helpOption('-h, --help', 'Show help.');
  if (details !== undefined) command.addHelpText('after', `\n${details}`);
  if (examples.length > 0) command.addHelpText('after', examplesText(examples, programName));
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

function examplesText(examples: NonNullable<CommandEntry['examples']>, programName: string): string {
  const lines = examples.map(([args, meaning]) => `  # ${meaning}\n  ${programName} ${args}`);
  return `\nExamples:\n${lines.join('\n')}`;
}
