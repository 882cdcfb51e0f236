import { commands } from '../commands/commands.ts';
import type { CommandEntry } from '../model/command.ts';
import { flagsOf } from '../model/command-flags.ts';
import { type FlagDefinition, type FlagName, flags, longSpellingOf, spellingsOf } from '../model/flags.ts';

/** The parsed words before the one to complete. */
export interface WordsBefore {
  /** The command; `undefined` if none of the words is one. */
  readonly command: CommandEntry | undefined;
  /** The index of the command among the words; -1 without one. */
  readonly commandAt: number;
  /** The arguments of the command. */
  readonly args: readonly string[];
  readonly values: Readonly<Partial<Record<FlagName, readonly string[]>>>;
  /** The flag that needs the next value, if the last word is a flag that takes one. */
  readonly open: FlagName | undefined;
}

/**
 * Reads the words of an unfinished command line.
 *
 * @param words The words, without the name of the program and the word that is completed.
 * @returns The parsed words. Unknown words are skipped.
 */
export function readWords(words: readonly string[]): WordsBefore {
  const values: Partial<Record<FlagName, string[]>> = {};
  const args: string[] = [];
  let open: FlagName | undefined;
  let command: CommandEntry | undefined;
  let commandAt = -1;
  for (const [index, word] of words.entries()) {
    if (open !== undefined) {
      values[open] = [...(values[open] ?? []), word];
      open = undefined;
    } else if (word.startsWith('-') && word !== '-') {
      const [spelling = '', value] = word.split('=', 2);
      const name = flagSpelled(spelling);
      if (name === undefined) continue;
      if (value !== undefined) values[name] = [...(values[name] ?? []), value];
      else if (takesValue(name)) open = name;
      else values[name] = ['true'];
    } else if (command === undefined) {
      command = commands.find(({ name }) => name === word);
      if (command !== undefined) commandAt = index;
    } else args.push(word);
  }
  return { command, commandAt, args, values, open };
}

/** Returns arguments with the command first. As for kubectl, flags can come before the command. */
export function withCommandFirst(args: readonly string[]): readonly string[] {
  const [first = ''] = args;
  if (flagSpelled(first.split('=', 1)[0] ?? '') === undefined) return args;
  const { command, commandAt } = readWords(args);
  return command === undefined ? args : [command.name, ...args.toSpliced(commandAt, 1)];
}

function takesValue(name: FlagName): boolean {
  return flags[name].type !== 'switch';
}

function flagSpelled(spelling: string): FlagName | undefined {
  return (Object.keys(flags) as FlagName[]).find((name) => spellingsOf(name).includes(spelling));
}

export function flagCandidates(command: CommandEntry) {
  return flagsOf(command).map((name) => {
    const { description }: FlagDefinition = flags[name];
    return { word: longSpellingOf(name), description };
  });
}
