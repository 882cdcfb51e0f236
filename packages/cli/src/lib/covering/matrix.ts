import type { ConcernName } from '@policy-machinery/policy-kind';
import type { Cell, Colors } from '@policy-machinery/text';
import type { Table } from '../model/answer.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import type { Assessment } from './assess.ts';
import { headerOf, headingOf, mainConcerns } from './concern-columns.ts';
import { type Count, type Group, type Grouping, groupsOf } from './groups.ts';
import { meanings, paintOf, signs } from './status.ts';

const alwaysShown: ReadonlySet<ConcernName> = new Set(['authentication', 'authorization', 'client-tls', 'rate-limit']);

/** States where nothing is known to do anything for a concern. */
const unused: ReadonlySet<string> = new Set(['none', 'not-needed', 'unknown']);

/** Returns the concerns that a table shows: the main ones, and others that are in use or required. */
export function shownConcerns({ rows, required }: Assessment): readonly ConcernName[] {
  const used = new Set<ConcernName>(required);
  for (const cells of new Set(rows.map(({ row }) => row.cells))) {
    for (const [concern, { state }] of cells) if (!unused.has(state)) used.add(concern);
  }
  const others = [...used].filter((concern) => !mainConcerns.includes(concern));
  return [...mainConcerns.filter((concern) => used.has(concern) || alwaysShown.has(concern)), ...others];
}

/**
 * Returns the matrix of groups of requests and concerns.
 *
 * @param concerns The concerns, one for each column.
 * @param colors Colors for the cells.
 * @param hasSources Whether cells name who decides. Default: no.
 */
export function matrixTable(
  assessment: Assessment,
  by: Grouping,
  concerns: readonly ConcernName[],
  colors: Colors,
  hasSources = false,
): Table {
  const { rows, required } = assessment;
  const isMain = (concern: ConcernName): boolean => mainConcerns.includes(concern) || required.has(concern);
  const isSingle = concerns.length <= mainConcerns.length;
  const columns: readonly ColumnOf<Group>[] = [
    { name: by.toUpperCase(), cell: ({ name, alike }) => (alike === 0 ? name : `${name} and ${alike} alike`) },
    { name: 'ROUTES', cell: ({ routes }) => String(routes) },
    ...concerns.map(
      (concern): ColumnOf<Group> => ({
        name: headerOf(concern, required.has(concern)),
        title: `${headingOf(concern)}${required.has(concern) ? '*' : ''}`,
        isWide: !isSingle && !isMain(concern),
        isOptional: !required.has(concern),
        cell: ({ counts, routes }) => countCell(counts.get(concern), routes, colors),
      }),
    ),
  ];
  return tableOf(groupsOf(rows, by, concerns, required, hasSources), columns);
}

/** Returns the sign of the worst status, with the number of routes; for some of the routes that are covered, their share. */
function countCell(count: Count | undefined, routes: number, colors: Colors): Cell {
  if (count === undefined) return '';
  const { worst, routes: byStatus, source } = count;
  const paint = paintOf(worst, colors);
  const number = byStatus.get(worst) ?? 0;
  const covered = byStatus.get('covered') ?? 0;
  if (worst === 'absent' && covered > 0) return [`${covered}/${routes}`, (text) => text];
  const isAll = number === routes || worst === 'covered' || worst === 'not-needed';
  const named = source === undefined || source === meanings[worst] ? [] : [source];
  return [[signs[worst], ...(isAll ? [] : [number]), ...named].join(' '), paint];
}
