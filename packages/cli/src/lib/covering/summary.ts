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

/**
 * Returns the answer in one sentence: `20 routes of 1,012 take requests without authentication; for 2 it does not cover all of them.`
 *
 * @param where Limits statements that objects are missing: ` in this input`; empty if everything was read.
 */
export function summaryOf(
  rows: readonly AssessedRow[],
  concern: ConcernName,
  isRequired: boolean,
  where: string,
): string {
  const counts = routeCounts(rows, concern);
  const total = statuses.reduce((sum, status) => sum + counts[status], 0);
  const without = counts.uncovered + counts.absent;
  const title = titleOf(concern);
  if (total === 0) return `No route${where === '' ? ' takes' : `${where} is known to take`} requests from a Gateway.`;
  const amount = (count: number, one: string, many: string): string =>
    `${numberOf(count)} ${count === 1 ? 'route' : 'routes'} of ${numberOf(total)} ${count === 1 ? one : many}`;
  const weak = [counts.weak, `for ${numberOf(counts.weak)} it does not cover all of them`] as const;
  const unknown = [counts.unknown, `for ${numberOf(counts.unknown)} it is not known`] as const;
  const accepted = `${numberOf(counts.accepted)} ${counts.accepted === 1 ? 'is' : 'are'} accepted`;
  const sentence = (start: string, ...more: readonly (readonly [count: number, text: string])[]): string => {
    const others = [...more, [counts.accepted, accepted] as const].flatMap(([count, text]) => (count > 0 ? text : []));
    return `${start}${others.length > 0 ? '; ' : ''}${others.join(', ')}.`;
  };
  if (without > 0) {
    const note = isRequired || counts.uncovered > 0 ? '' : ' (not required)';
    return sentence(`${amount(without, 'takes', 'take')} requests without ${title}${note}`, weak, unknown);
  }
  if (counts.weak > 0)
    return sentence(`${amount(counts.weak, 'lets', 'let')} some requests pass without ${title}`, unknown);
  if (counts.unknown > 0) return sentence(`Whether ${amount(counts.unknown, 'has', 'have')} ${title} is not known`);
  if (counts.accepted > 0) return sentence(`No other route of ${numberOf(total)} takes requests without ${title}`);
  return `All requests of ${numberOf(total)} ${total === 1 ? 'route' : 'routes'} meet ${title}.`;
}

/** Returns a number as people read it: `1,012`. */
export function numberOf(count: number): string {
  return count.toLocaleString('en-US');
}
