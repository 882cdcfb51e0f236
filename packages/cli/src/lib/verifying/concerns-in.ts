import type { ConcernsAt, MetConcern } from '@policy-machinery/guarantees';
import type { Cell, CoverageRow } from '@policy-machinery/guarantees/coverage';
import { comparable } from '@policy-machinery/guarantees/inner';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { TargetNode } from '@policy-machinery/topology';
import { reasonText } from '../covering/reasons.ts';
import { type Status, statusOf } from '../covering/status.ts';
import { worldCoverage } from '../covering/world-coverage.ts';
import type { World } from '../model/world.ts';

const protections: Readonly<Partial<Record<Status, MetConcern['protection']>>> = {
  covered: 'covered',
  weak: 'weak',
  uncovered: 'uncovered',
  'not-needed': 'not-needed',
};

/** Returns how the requests of a world meet concerns, for expressions. Finds it with the first question. */
export function concernsIn(world: World): ConcernsAt {
  let rows: ReadonlyMap<string, readonly CoverageRow[]> | undefined;
  const texts = new Map<Cell, string>();
  const rulesOf = (cell: Cell): string => {
    const text = texts.get(cell) ?? (cell.rules ?? []).map(comparable).sort().join(' ');
    texts.set(cell, text);
    return text;
  };
  return ({ listener, route, rule }, concern) => {
    rows ??= byPlace(worldCoverage(world));
    const [row, ...others] = rows.get(keyOf(listener.node, route, rule)) ?? [];
    if (row === undefined) return unknown('the coverage of requests in a mesh is not known');
    if (others.some(({ cells }) => cells !== row.cells)) return unknown('the route has several parents');
    const cell = row.cells.get(concern) ?? { state: 'none' };
    const by = (cell.to ?? cell.by)?.locator;
    return { protection: protections[statusOf(cell, true)], why: reasonText(cell), by, decidedBy: rulesOf(cell) };
  };
}

function byPlace(rows: readonly CoverageRow[]): ReadonlyMap<string, readonly CoverageRow[]> {
  return groupedBy(rows, (row) => keyOf(row.listener, row.route, row.rule));
}

function unknown(why: string): MetConcern {
  return { protection: undefined, why, by: undefined };
}

function keyOf(listener: TargetNode, route: TargetNode, rule: TargetNode | undefined): string {
  return [listener, route, ...(rule === undefined ? [] : [rule])].map(({ locator }) => locator).join(' ');
}
