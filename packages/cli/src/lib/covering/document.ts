import type { Cells } from '@policy-machinery/guarantees/coverage';
import type { ConcernName } from '@policy-machinery/policy-kind';
import type { Document } from '../model/answer.ts';
import { nameOf } from './accepted.ts';
import type { AssessedRow, Assessment } from './assess.ts';
import { reasonText } from './reasons.ts';
import { routeCounts } from './summary.ts';

/** Returns the coverage for programs. Rows with the same answer name it by its place in `answers`. */
export function coverageDocument({ rows, required }: Assessment, concerns: readonly ConcernName[]): Document {
  const places = new Map<Cells, number>();
  const placeOf = (cells: Cells): number => {
    const place = places.get(cells) ?? places.size;
    places.set(cells, place);
    return place;
  };
  const listed = rows.map((assessed) => ({ ...rowDocument(assessed), answer: placeOf(assessed.row.cells) }));
  return {
    kind: 'Coverage',
    concerns: concerns.map((name) => ({
      name,
      isRequired: required.has(name),
      routes: routeCounts(rows, name),
    })),
    rows: listed,
    answers: [...places.keys()].map((cells) => cellsDocument(cells, concerns)),
  };
}

/** Returns the requests of a row: the uncovered ones, and the accepted ones among these. */
function rowDocument({ row, statuses, accepted }: AssessedRow): object {
  const { gateway, listener, route, rule, hostnames } = row;
  const withStatus = (wanted: string) => [...statuses].flatMap(([name, status]) => (status === wanted ? [name] : []));
  return {
    gateway: nameOf(gateway),
    listener: listener.ref.section,
    route: route.ref,
    ...(rule === undefined ? {} : { rule: rule.ref.section }),
    hostnames,
    uncovered: withStatus('uncovered'),
    weak: withStatus('weak'),
    unknown: withStatus('unknown'),
    accepted: [...accepted].map(([concern, { reason }]) => ({ concern, reason })),
  };
}

function cellsDocument(cells: Cells, concerns: readonly ConcernName[]): object {
  return Object.fromEntries(
    concerns.map((concern) => {
      const cell = cells.get(concern) ?? { state: 'none' };
      const { state, strength, by, to, because, replaces } = cell;
      const named = Object.entries({ by, to, replaces }).flatMap(([role, author]) => {
        if (author === undefined) return [];
        const { kind, name, target, pointer } = author;
        return [[role, { kind, name, target: target.ref, pointer }] as const];
      });
      const parts = { strength, because, message: reasonText(cell) };
      const given = Object.entries(parts).filter(([, value]) => value !== undefined);
      return [concern, { state, ...Object.fromEntries(given), ...Object.fromEntries(named) }];
    }),
  );
}

/** Returns the coverage as comma-separated values, with a line for each row. */
export function coverageCsv({ rows }: Assessment, concerns: readonly ConcernName[]): string {
  const texts = new Map<Cells, readonly string[]>();
  const lines = rows.map(({ row, statuses }) => {
    const { gateway, listener, route, rule, hostnames, cells } = row;
    const reasons = texts.get(cells) ?? concerns.map((name) => reasonText(cells.get(name) ?? { state: 'none' }));
    texts.set(cells, reasons);
    const place = [nameOf(gateway), listener.ref.section, route.ref.kind, nameOf(route), rule?.ref.section];
    return [...place, hostnames.join(' '), ...concerns.flatMap((name, index) => [statuses.get(name), reasons[index]])];
  });
  const header = ['gateway', 'listener', 'kind', 'route', 'rule', 'hostnames'];
  const all = [[...header, ...concerns.flatMap((name) => [name, `${name} reason`])], ...lines];
  return all.map((line) => `${line.map((cell = '') => csvCell(cell)).join(',')}\r\n`).join('');
}

/** Returns a value of a line. Spreadsheets take one that begins with such a character for a formula. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
