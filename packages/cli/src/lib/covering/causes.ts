import type { Author } from '@policy-machinery/guarantees/coverage';
import type { ConcernName } from '@policy-machinery/policy-kind';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { Colors } from '@policy-machinery/text';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import type { Table } from '../model/answer.ts';
import { firstOf } from '../model/first-of.ts';
import { tableOf } from '../model/table-of.ts';
import { nameOf } from './accepted.ts';
import { type AssessedRow, cellIn } from './assess.ts';
import { titleOf } from './concern-columns.ts';
import { strengthText } from './reasons.ts';
import { remedyOf } from './remedies.ts';
import { paintOf, type Status, signs, statuses } from './status.ts';

/** Why requests are not protected, with the remedy. */
export interface Cause {
  readonly status: Status;
  readonly cause: string;
  readonly remedy: string;
  readonly routes: readonly TargetNode[];
}

/** The statuses of requests that are not protected. */
const unprotected: ReadonlySet<Status> = new Set(['uncovered', 'weak', 'unknown']);

/** How many causes that differ only in their Gateways or policies are listed one by one. */
const mostAlone = 3;

/** Returns why requests are not protected, cause by cause, the worst and most frequent first. Many causes of one sort are one. */
export function causesOf(rows: readonly AssessedRow[], concern: ConcernName): readonly Cause[] {
  const open = rows.filter((row) => unprotected.has(statusIn(row, concern)));
  const alike = (some: readonly AssessedRow[], naming: Naming) => [
    ...groupedBy(some, (row) => `${statusIn(row, concern)} ${causeOf(row, concern, naming)}`).values(),
  ];
  return alike(open, byKind)
    .flatMap((same) => {
      const single = alike(same, byName);
      return single.length > mostAlone ? [same] : single;
    })
    .flatMap((same) => causeIn(same, concern))
    .sort((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status) || b.routes.length - a.routes.length);
}

/** Returns the cause that some rows have in common. */
function causeIn(rows: readonly AssessedRow[], concern: ConcernName): readonly Cause[] {
  const [first] = rows;
  if (first === undefined) return [];
  const named = (names: readonly string[]): string => firstOf([...new Set(names)].sort(), 1);
  const cells = rows.map((row) => cellIn(row, concern));
  const deciding = named(cells.map(({ to, by }) => (to ?? by)?.name ?? ''));
  const naming: Naming = {
    policy: ({ kind }) => `${kind} ${deciding}`,
    target: ({ ref: { kind } }) =>
      `${kind} ${named(rows.map((row) => formatTarget(targetOf(row, concern)).slice(kind.length + 1)))}`,
  };
  const gateways = named(rows.map(({ row }) => nameOf(row.gateway)));
  const cause = {
    status: statusIn(first, concern),
    cause: causeOf(first, concern, naming),
    remedy: remedyOf(cellIn(first, concern), gateways, deciding),
    routes: [...new Set(rows.map(({ row: { route } }) => route))].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
  };
  return [cause];
}

/** How a cause names policies and targets. */
interface Naming {
  readonly policy: (author: Author, isOwn: boolean) => string;
  readonly target: (target: TargetNode) => string;
}

const byKind: Naming = { policy: ({ kind }) => kind, target: ({ ref }) => ref.kind };

/** Names all but the policies that belong to the routes, which are named together. */
const byName: Naming = {
  policy: ({ kind, name }, isOwn) => (isOwn ? kind : `${kind} ${name}`),
  target: formatTarget,
};

/** Returns the target that a cause names: where a lost policy is, or the Gateway. */
function targetOf(row: AssessedRow, concern: ConcernName): TargetNode {
  return cellIn(row, concern).by?.target ?? row.row.gateway;
}

function statusIn({ statuses: all }: AssessedRow, concern: ConcernName): Status {
  return all.get(concern) ?? 'absent';
}

/** Returns why the requests of a row are not protected. */
function causeOf(row: AssessedRow, concern: ConcernName, naming: Naming): string {
  const cell = cellIn(row, concern);
  const { state, by, because } = cell;
  const isOwn = state === 'own' || by?.target.object === row.row.route;
  const author = by === undefined ? '' : naming.policy(by, isOwn);
  const target = naming.target(targetOf(row, concern));
  if (state === 'lost' && by !== undefined) return `Other policies replace the ${titleOf(concern)} of ${target}`;
  if (state === 'off' || (state === 'none' && by !== undefined && because === undefined))
    return `${author}: switched off`;
  if (state === 'none' && because !== undefined) return `${because.charAt(0).toUpperCase()}${because.slice(1)}`;
  if (state === 'none') return `Neither ${target} nor its routes set ${titleOf(concern)}`;
  if (state === 'unknown') return `Not known: ${because ?? author}`;
  return `${author}: ${strengthText(cell)}${because === undefined ? '' : ` (${because})`}`;
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
