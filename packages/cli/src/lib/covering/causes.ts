import type { Author } from '@policy-machinery/guarantees/coverage';
import type { ConcernName } from '@policy-machinery/policy-kind';
import type { Colors } from '@policy-machinery/text';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
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
  readonly routes: readonly TargetNode[];
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
  const byCause = new Map<string, AssessedRow[]>();
  for (const row of rows) {
    if (!unprotected.has(statusIn(row, concern))) continue;
    const key = `${statusIn(row, concern)} ${causeOf([row], concern, ({ kind }) => kind)}`;
    const same = byCause.get(key);
    if (same === undefined) byCause.set(key, [row]);
    else same.push(row);
  }
  return [...byCause.values()]
    .flatMap((same) => causeIn(same, concern))
    .sort((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status) || b.routes.length - a.routes.length);
}

/** Returns the cause that some rows have in common. */
function causeIn(rows: readonly AssessedRow[], concern: ConcernName): readonly Cause[] {
  const [first] = rows;
  if (first === undefined) return [];
  const routes = [...new Set(rows.map(({ row: { route } }) => route))].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const deciding = rows.map((row) => cellIn(row, concern)).map(({ to, by }) => (to ?? by)?.name ?? '');
  const names = firstOf([...new Set(deciding)].sort(), 1);
  const cause = {
    status: statusIn(first, concern),
    cause: causeOf(rows, concern, ({ kind }) => `${kind} ${names}`),
    remedy: remedyOf(cellIn(first, concern), nameOf(first.row.gateway), names),
    routes,
  };
  return [cause];
}

function statusIn({ statuses: all }: AssessedRow, concern: ConcernName): Status {
  return all.get(concern) ?? 'absent';
}

/**
 * Returns the cause of the first of some rows.
 *
 * @param nameOfOwn Returns the name of policies that belong to the routes. Others are named one by one.
 */
function causeOf([first]: readonly AssessedRow[], concern: ConcernName, nameOfOwn: (author: Author) => string): string {
  if (first === undefined) return '';
  const { state, strength, by, because } = cellIn(first, concern);
  const isOwn = state === 'own' || by?.target.object === first.row.route;
  const author = by === undefined ? '' : isOwn ? nameOfOwn(by) : `${by.kind} ${by.name}`;
  if (state === 'lost' && by !== undefined) {
    return `Other policies replace the ${titleOf(concern)} of ${formatTarget(by.target)}`;
  }
  if (state === 'off' || (state === 'none' && by !== undefined && because === undefined))
    return `${author}: switched off`;
  if (state === 'none' && because !== undefined) return `${because.charAt(0).toUpperCase()}${because.slice(1)}`;
  if (state === 'none') return `Neither ${formatTarget(first.row.gateway)} nor its routes set ${titleOf(concern)}`;
  if (state === 'unknown') return `Not known: ${because ?? author}`;
  return `${author}: ${strength}${because === undefined ? '' : ` (${because})`}`;
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
