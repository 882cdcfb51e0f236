import type { ConcernName } from '@policy-machinery/policy-kind';
import type { AssessedRow } from './assess.ts';
import { titleOf } from './concern-columns.ts';
import { type Status, statuses, worse } from './status.ts';

/** The number of routes by their worst status. */
export type RouteCounts = Readonly<Record<Status, number>>;

/** Returns how many routes have which status for a concern. A route has the worst status of its requests. */
export function routeCounts(rows: readonly AssessedRow[], concern: ConcernName): RouteCounts {
  const ofRoutes = new Map<unknown, Status>();
  for (const { row, statuses: own } of rows) {
    const status = own.get(concern) ?? 'absent';
    ofRoutes.set(row.route, worse(ofRoutes.get(row.route) ?? status, status));
  }
  const counts = { uncovered: 0, weak: 0, unknown: 0, accepted: 0, absent: 0, covered: 0, 'not-needed': 0 };
  for (const status of ofRoutes.values()) counts[status] += 1;
  return counts;
}

/** The words that limit statements to what was read; empty if everything was. */
export interface Limits {
  /** For statements that objects are missing: ` in this input`. */
  readonly where: string;
  /** For statements about everything: `, as far as the input is read`. */
  readonly asFarAs: string;
}

/**
 * Returns the answer in one sentence: `20 routes of 1,012 take requests without authentication; for 2 it is weak, for 3 it is not known.`
 *
 * @param limits The limits of what was read.
 */
export function summaryOf(
  rows: readonly AssessedRow[],
  concern: ConcernName,
  isRequired: boolean,
  { where, asFarAs }: Limits,
): string {
  const counts = routeCounts(rows, concern);
  const all = statuses.reduce((sum, status) => sum + counts[status], 0);
  const without = counts.uncovered + counts.absent;
  const title = titleOf(concern);
  if (all === 0) {
    const takes = where === '' ? ' takes requests' : `${where} is known to take requests`;
    return `No route${takes} from a Gateway.`;
  }
  const more = [
    ...(counts.weak > 0 ? [`for ${numberOf(counts.weak)} it does not cover all of them`] : []),
    ...(counts.unknown > 0 ? [`for ${numberOf(counts.unknown)} it is not known`] : []),
    ...(counts.accepted > 0 ? [`${numberOf(counts.accepted)} ${counts.accepted === 1 ? 'is' : 'are'} accepted`] : []),
  ];
  const end = more.length === 0 ? '' : `; ${more.join(', ')}`;
  if (without === 0) {
    if (more.length === 0) return `All requests of ${routes(all)} meet ${title}${asFarAs}.`;
    const lacking = counts.unknown + counts.weak > 0 ? `that are known to lack ${title}` : `without ${title}`;
    return `No ${counts.accepted > 0 ? 'other ' : ''}route of ${numberOf(all)} takes requests ${lacking}${end}.`;
  }
  const note = isRequired || counts.uncovered > 0 ? '' : ' (not required)';
  return `${routes(without)} of ${numberOf(all)} ${without === 1 ? 'takes' : 'take'} requests without ${title}${note}${end}.`;
}

function routes(count: number): string {
  return `${numberOf(count)} ${count === 1 ? 'route' : 'routes'}`;
}

/** Returns a number as people read it: `1,012`. */
export function numberOf(count: number): string {
  return count.toLocaleString('en-US');
}
