import type { Answer } from '../model/answer.ts';
import type { FreeCommand } from '../model/command.ts';
import { UsageError } from '../model/usage-error.ts';
import { scripts } from './completion-scripts.ts';

/** Answers with a script that makes a shell complete commands, flags, names and fields. */
export const answer: FreeCommand = (_inputs, { args: [shell = ''] }): Answer => {
  const script = Object.entries(scripts).find(([name]) => name === shell)?.[1];
  if (script === undefined)
    throw new UsageError(`"${shell}" is not a shell; use one of ${Object.keys(scripts).join(', ')}`);
  return {
    document: { kind: 'CompletionScript', shell },
    sections: [{ blocks: [{ lines: script.trimEnd().split('\n') }] }],
  };
};
