import { compareRequests, formatRequest, type RequestDifference, type VerifyInput } from '@policy-machinery/guarantees';
import { commonReading } from '../answers/regular-expressions.ts';
import type { Section } from '../model/answer.ts';
import type { Options } from '../model/flags.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import type { World } from '../model/world.ts';
import { verifiedKinds } from '../verifying/verified-kinds.ts';
import type { Comparison } from './compare.ts';

/** The handling of requests on one side of a change. */
interface Taken {
  readonly rule: string;
  readonly backends: readonly string[];
}

/** A class of requests that a change treats in another way. */
interface RequestChange {
  /** The least request of the class: `GET http://shop.example.com/cart`. */
  readonly request: string;
  readonly in: RequestDifference['in'];
  /** `undefined` if no rule takes the requests. */
  readonly before: Taken | undefined;
  readonly after: Taken | undefined;
}

/** The classes of requests that a change treats in another way. */
export interface RequestChanges {
  readonly differences: readonly RequestChange[];
  /** The number of classes that were compared. */
  readonly classes: number;
  /** The number of matches and classes with an unknown handling, due to a regular expression. */
  readonly undecided: number;
  /** The input that could not be read, so that nothing is proved about it. */
  readonly gaps: readonly string[];
}

/**
 * Compares the handling of requests before and after a change.
 *
 * @returns The classes of requests that are treated differently; `undefined` without `--requests`.
 */
export function requestChanges({ before, after }: Comparison, { requests }: Options): RequestChanges | undefined {
  if (requests !== true) return undefined;
  const { differences, classes, undecided } = compareRequests(inputOf(before), inputOf(after));
  const gaps = [...new Set([...before.gaps, ...after.gaps])];
  return { differences: differences.flatMap(changeOf), classes, undecided, gaps };
}

function inputOf(world: World): VerifyInput {
  return { topology: world.topology, kinds: verifiedKinds(world), ...commonReading() };
}

function changeOf({ request, before, after, in: differing }: RequestDifference): readonly RequestChange[] {
  const { contender } = after ?? before ?? {};
  if (contender === undefined) return [];
  return [
    { request: formatRequest({ request, contender }), in: differing, before: taken(before), after: taken(after) },
  ];
}

function taken(treatment: RequestDifference['before']): Taken | undefined {
  return treatment && { rule: treatment.rule, backends: treatment.backends };
}

/** How many classes are shown one by one. */
const maxShown = 20;

/** Returns the classes of requests that differ, for people; no section without `--requests`. */
export function requestSections(changes: RequestChanges | undefined): readonly Section[] {
  if (changes === undefined) return [];
  const { differences, classes, undecided, gaps } = changes;
  const columns: readonly ColumnOf<RequestChange>[] = [
    { name: 'REQUEST', cell: ({ request }) => request },
    { name: 'BEFORE', cell: ({ before }) => shown(before) },
    { name: '', cell: () => '→' },
    { name: 'AFTER', cell: ({ after }) => shown(after) },
    { name: 'DIFFERS IN', cell: (it) => it.in.join(', ') },
  ];
  const shownOnes = differences.slice(0, maxShown);
  const table = { table: tableOf(shownOnes, columns, { layout: 'detail' }), indent: 2 };
  const more = differences.length - shownOnes.length;
  const rest = more === 0 ? [] : [{ lines: [`and ${more} more; -o json has all`], indent: 2 }];
  const compared = `${differences.length} of ${classes} ${classes === 1 ? 'class' : 'classes'} of requests`;
  const lines = [
    `${compared} ${differences.length === 1 ? 'is' : 'are'} treated differently.`,
    ...(undecided > 0 ? [`Regular expressions hide the difference for ${undecided} more.`] : []),
    ...gaps.map((gap) => `Not known: ${gap}`),
  ];
  return [{ heading: 'Requests', blocks: [{ lines, indent: 2 }, ...(differences.length > 0 ? [table] : []), ...rest] }];
}

function shown(side: Taken | undefined): string {
  if (side === undefined) return 'no rule';
  return side.backends.length === 0 ? side.rule : `${side.rule} to ${side.backends.join(', ')}`;
}
