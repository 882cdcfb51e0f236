import type { CommandEntry } from './command.ts';
import { type FlagName, inputFlags, outputFlags, servedFlags } from './flags.ts';

/**
 * Returns the flags of a command: its own, the input's, and the output's.
 *
 * @returns The names of the flags, in the order of help.
 */
export function flagsOf({ input, formats, ignoresStatus, flags: own = [] }: CommandEntry): readonly FlagName[] {
  if (input === 'served') return [...own, ...servedFlags];
  const reading = input === 'world' ? ([...inputFlags, 'only', 'watch'] as const) : [];
  const isList = formats.includes('wide') || formats.includes('sarif');
  const output = outputFlags.filter(
    (name) => (name !== 'headers' || isList) && (name !== 'output' || formats.length > 1 || formats[0] !== 'table'),
  );
  return [...new Set<FlagName>([...own, ...reading, ...output])].filter(
    (name) => name !== 'ignoreStatus' || ignoresStatus !== true,
  );
}
