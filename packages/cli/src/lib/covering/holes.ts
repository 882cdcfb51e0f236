import type { ConcernName } from '@policy-machinery/policy-kind';
import type { Colors } from '@policy-machinery/text';
import { formatTarget } from '@policy-machinery/topology';
import type { Table } from '../model/answer.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import { type AssessedRow, cellIn } from './assess.ts';
import { headerOf } from './concern-columns.ts';
import { reasonText } from './reasons.ts';
import { paintOf, type Status, signs, statuses } from './status.ts';

/** Requests of a route that are not protected. */
export interface Hole {
  readonly concern: ConcernName;
  readonly status: Status;
  /** The route, or its rule if the other rules differ. */
  readonly route: string;
  readonly gateways: readonly string[];
  readonly reason: string;
}

const listed: ReadonlySet<Status> = new Set(['uncovered', 'weak', 'unknown']);

/**
 * Returns the requests that are not protected, or whether they are is not known, the worst first. The rules of a route with the same reason are one entry.
 *
 * @param concerns The concerns. Requests that lack one of them are listed, whether the concern is required or not.
 */
export function holesIn(rows: readonly AssessedRow[], concerns: readonly ConcernName[]): readonly Hole[] {
  const byRoute = new Map<string, { readonly hole: Hole; readonly rules: Set<string> }>();
  const rulesOf = new Map<string, Set<string>>();
  for (const assessed of rows) {
    const { route, rule = route, gateway, listener } = assessed.row;
    const place = `${route.locator} ${listener.locator}`;
    rulesOf.set(place, (rulesOf.get(place) ?? new Set()).add(formatTarget(rule)));
    for (const concern of concerns) {
      const status = statusAsked(assessed, concern);
      if (!listed.has(status)) continue;
      const reason = reasonText(cellIn(assessed, concern));
      const key = `${place} ${concern} ${status} ${reason}`;
      const hole = { concern, status, route: formatTarget(route), gateways: [formatTarget(gateway)], reason };
      const known = byRoute.get(key) ?? { hole, rules: new Set<string>() };
      byRoute.set(key, { hole: known.hole, rules: known.rules.add(formatTarget(rule)) });
    }
  }
  const holes = [...byRoute].flatMap(([key, { hole, rules }]) => {
    const all = rulesOf.get(key.split(' ').slice(0, 2).join(' '));
    return rules.size === all?.size ? [hole] : [...rules].map((rule) => ({ ...hole, route: rule }));
  });
  const distinct = new Map<string, Hole>();
  for (const hole of holes) {
    const key = JSON.stringify({ ...hole, gateways: [] });
    const gateways = [...new Set([...(distinct.get(key)?.gateways ?? []), ...hole.gateways])];
    distinct.set(key, { ...hole, gateways });
  }
  return [...distinct.values()].sort(
    (a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status) || (a.route < b.route ? -1 : 1),
  );
}

/** Returns the status of requests for a concern that somebody asks for, and so requires. */
function statusAsked({ statuses: all }: AssessedRow, concern: ConcernName): Status {
  const status = all.get(concern) ?? 'absent';
  return status === 'absent' ? 'uncovered' : status;
}

export function holesTable(holes: readonly Hole[], concerns: readonly ConcernName[], colors: Colors): Table {
  const columns: readonly ColumnOf<Hole>[] = [
    { name: 'ROUTE', cell: ({ status, route }) => [`${signs[status]} ${route}`, paintOf(status, colors)] },
    ...(concerns.length > 1 ? [{ name: 'CONCERN', cell: ({ concern }: Hole) => headerOf(concern, false) }] : []),
    { name: 'GATEWAY', isWide: true, cell: ({ gateways }) => gateways.join(', ') },
    { name: 'REASON', cell: ({ reason }) => reason },
  ];
  return tableOf(holes, columns, { layout: 'detail' });
}
