import type { CommandEntry } from './frame/command.ts';
import { findingFormats, listFormats, textFormats } from './frame/formats.ts';

/** All commands, in the order in which help lists them. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'get',
    args: '[what] [name]',
    summary: 'List policies, targets of a kind, or issues.',
    examples: [
      ['get', 'the policies, and what became of each'],
      ['get timeoutpolicies -A -o wide', 'those of one kind, in all namespaces, with reasons'],
      ['get httproutes', 'routes, and the policies that affect them'],
    ],
    flags: ['selector'],
    input: 'world',
    formats: listFormats,
    load: () => import('./commands/get.ts'),
  },
];

export { findingFormats, textFormats };
