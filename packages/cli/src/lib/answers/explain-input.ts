import { formatIssue } from '@policy-machinery/resource';
import { printableLines } from '@policy-machinery/resource/inner';
import { formatRef } from '@policy-machinery/topology';
import { describeGaps, resourceOf } from '../input/cluster/gaps.ts';
import { unrenderedText } from '../input/gitops/unrendered.ts';
import type { Request } from '../model/command.ts';
import { firstOf } from '../model/first-of.ts';
import type { World } from '../model/world.ts';

/** How many issues standard error shows beside an answer. */
const maxIssues = 5;

/**
 * Returns the message for standard error about kinds that the user is forbidden to read.
 *
 * @param isVerbose Whether to name all kinds, where they are read, and the rights to ask for. Default: one line.
 * @param isWatched Whether the cluster is watched, which needs another right. Default: no.
 */
export function explainGaps({ source }: Pick<World, 'source'>, isVerbose = false, isWatched = false): string {
  const gaps = source?.gaps ?? [];
  if (gaps.length === 0) return '';
  const unfollowed = isWatched ? ', and does not follow these' : '';
  if (!isVerbose) {
    const kinds = firstOf(gaps.map(({ kind }) => resourceOf(kind)));
    return `warning: the answer may be incomplete${unfollowed}: you may not read ${kinds} in all namespaces (-v lists them)\n`;
  }
  const lines = describeGaps(gaps).map((gap) => `warning: ${gap}\n`);
  const verbs = isWatched ? 'verbs list and watch' : 'verb list';
  return `${lines.join('')}warning: the answer may be incomplete${unfollowed}; ask for the ${verbs} on these resources, in all namespaces\n`;
}

/** Returns the message for standard error about faults of the input and assumptions, for commands with an answer that does not list them. */
export function explainInput(world: World, request: Request): string {
  const { objects, assumed } = world;
  const isWithoutGateways = objects.some(isRoute) && !objects.some(({ kind }) => kind === 'Gateway');
  const notes = [
    ...(isWithoutGateways ? ['Without a Gateway in the input, routes count as accepted.'] : []),
    ...assumedNotes(assumed),
  ];
  return printableLines(notes.map((note) => `${note}\n`).join('')) + explainUnread(world, request);
}

/** Returns the message for standard error about the parts of the input that are not read. */
export function explainUnread({ inputIssues, unrendered }: World, { programName }: Request): string {
  const issues = inputIssues.flatMap(({ severity, ...issue }) => (severity === 'note' ? [] : [{ ...issue, severity }]));
  const lines = issues.slice(0, maxIssues).map((issue) => `${formatIssue(issue)}\n`);
  const more = issues.length - lines.length;
  const unread = inputIssues
    .filter(({ code }) => code === 'link-left-out')
    .map(({ position }) => position?.source ?? '');
  const links =
    unread.length === 0
      ? ''
      : `${firstOf(unread)} ${unread.length === 1 ? 'is a link, and is' : 'are links, and are'} left out; name a link to follow it.\n`;
  const notRendered = unrenderedText(unrendered);
  const fields = inputIssues.filter(({ code }) => code === 'server-fields').map(({ message }) => `${message}.\n`);
  return (
    printableLines((notRendered === '' ? '' : `${notRendered}\n`) + links + fields.join('')) +
    lines.join('') +
    (more > 0 ? `and ${more} more issues; "${programName} lint" lists them\n` : '')
  );
}

/**
 * Says which Gateways are assumed.
 *
 * @param assumed The Gateways.
 * @param told Those that were named before, and are left out. Default: none.
 * @returns A sentence about those that are missing, and one about those that the files may have without a namespace.
 */
export function assumedNotes(assumed: World['assumed'], told: World['assumed'] = []): readonly string[] {
  const namesOf = (all: World['assumed']) =>
    all.map(({ object: { kind, metadata } }) => formatRef({ kind, ...metadata }));
  const known = new Set(namesOf(told));
  const missing = namesOf(assumed.filter(({ hasNamesake }) => !hasNamesake)).filter((name) => !known.has(name));
  const unplaced = namesOf(assumed.filter(({ hasNamesake }) => hasNamesake)).filter((name) => !known.has(name));
  const meant = unplaced.length === 1 ? 'the one with this name' : 'those with these names';
  return [
    ...(missing.length === 0 ? [] : [`Not in the input, and assumed to accept routes: ${firstOf(missing)}.`]),
    ...(unplaced.length === 0
      ? []
      : [
          `Assumed to accept routes, without policies: ${firstOf(unplaced)}; the files may mean ${meant} and without a namespace.`,
        ]),
  ];
}

function isRoute({ kind }: World['objects'][number]): boolean {
  return kind.endsWith('Route');
}
