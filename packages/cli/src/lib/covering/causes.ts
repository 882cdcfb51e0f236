import type { ConcernName } from '@policy-machinery/policy-kind';
import type { Colors } from '@policy-machinery/text';
import { formatTarget } from '@policy-machinery/topology';
import type { Table } from '../model/answer.ts';
import { firstOf } from '../model/first-of.ts';
import { tableOf } from '../model/table-of.ts';
import { nameOf } from './accepted.ts';
import { type AssessedRow, cellIn } from './assess.ts';
import { titleOf } from './concern-columns.ts';
import { remedyOf } from './remedies.ts';
import { paintOf, type Status, signs, statuses } from './status.ts';

/** Why requests are not protected, with what to do. */
export interface Cause {
  readonly status: Status;
  readonly cause: string;
  readonly remedy: string;
  /** The routes, as `namespace/name`. */
  readonly routes: readonly string[];
}

/** The statuses of requests that are not protected. */
const unprotected: ReadonlySet<Status> = new Set(['uncovered', 'weak', 'unknown']);

/**
 * Returns why requests are not protected, cause by cause, the worst and most frequent first.
 *
 * @param rows The requests.
 * @param concern The concern.
 */
export function causesOf(rows: readonly AssessedRow[], concern: ConcernName): readonly Cause[] {
  const byCause = new Map<
    string,
    { readonly rows: AssessedRow[]; readonly first: AssessedRow; readonly cause: string }
  >();
  for (const row of rows) {
    if (!unprotected.has(statusIn(row, concern))) continue;
    const cause = causeOf(row, concern);
    const key = `${statusIn(row, concern)} ${cause}`;
    const same = byCause.get(key);
    if (same === undefined) byCause.set(key, { rows: [row], first: row, cause });
    else same.rows.push(row);
  }
  return [...byCause.values()]
    .map(({ rows: same, first, cause }): Cause => {
      const routes = [...new Set(same.map(({ row: { route } }) => nameOf(route)))].sort();
      const winners = [...new Set(same.map((row) => cellIn(row, concern).to?.name ?? ''))].sort();
      const remedy = remedyOf(cellIn(first, concern), nameOf(first.row.gateway), firstOf(winners, 1));
      return { status: statusIn(first, concern), cause, remedy, routes };
    })
    .sort((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status) || b.routes.length - a.routes.length);
}

function statusIn({ statuses: all }: AssessedRow, concern: ConcernName): Status {
  return all.get(concern) ?? 'absent';
}

function causeOf(row: AssessedRow, concern: ConcernName): string {
  const { state, strength, by, because } = cellIn(row, concern);
  const { gateway } = row.row;
  const author = by === undefined ? '' : `${by.kind} ${by.name}`;
  if (state === 'lost' && by !== undefined) {
    return `Other policies replace the ${titleOf(concern)} of ${formatTarget(by.target)}`;
  }
  if (state === 'off' || (state === 'none' && by !== undefined && because === undefined))
    return `${author} switches it off`;
  if (state === 'none' && because !== undefined) return `${because.charAt(0).toUpperCase()}${because.slice(1)}`;
  if (state === 'none') return `Neither ${formatTarget(gateway)} nor its routes set ${titleOf(concern)}`;
  if (state === 'unknown') return `Not known: ${because ?? author}`;
  return `${author} is ${strength}${because === undefined ? '' : ` (${because})`}`;
}

/** Returns a table of causes, with the most important ones. */
export function causesTable(causes: readonly Cause[], colors: Colors): Table {
  return tableOf(
    causes,
    [
      { name: 'STATUS', cell: ({ status }) => [signs[status], paintOf(status, colors)] },
      { name: 'ROUTES', cell: ({ routes }) => String(routes.length).padStart(4) },
      { name: 'CAUSE', cell: ({ cause, remedy }) => (remedy === '' ? cause : `${cause}; ${remedy}`) },
    ],
    { layout: 'detail' },
  );
}
