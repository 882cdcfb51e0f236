import type { Replayable } from '@policy-machinery/guarantees';
import { httpRequestOf, urlOf } from '@policy-machinery/guarantees/inner';
import { printable } from '@policy-machinery/resource';

/**
 * Returns the command that replays a request of a counterexample: the arguments of `gwpolicy request`, without those that name the input.
 *
 * @param example The counterexample, or its other request.
 * @returns One line for a shell: texts of others are only arguments in it.
 */
export function replayCommand(example: Replayable, programName: string): string {
  const { request, contender } = example;
  const { entry } = contender;
  const { method = 'GET' } = httpRequestOf(request, entry);
  const { namespace = '', name } = entry.node.ref;
  const args = [
    urlOf(example),
    ...(method === 'GET' ? [] : ['-X', method]),
    ...[...request.headers].flatMap(([header, value]) => ['-H', `${header}: ${value}`]),
    ...(entry.client === undefined ? ['--gateway', `${namespace}/${name}`] : ['--client', entry.client]),
  ];
  return `${programName} request ${args.map(quoted).join(' ')}`;
}

/** Returns a text as one word of a POSIX shell. */
function quoted(text: string): string {
  const shown = printable(text);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}
