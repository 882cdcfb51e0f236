import type { Cells } from '@policy-machinery/guarantees/coverage';
import type { ConcernName } from '@policy-machinery/policy-kind';
import type { ReportCell, ReportCoverage } from '@policy-machinery/report';
import { type AssessedRow, type Assessment, cellIn } from './assess.ts';
import { causesOf } from './causes.ts';
import { titleOf } from './concern-columns.ts';
import { shownConcerns } from './matrix.ts';
import { reasonText, sourceOf } from './reasons.ts';
import type { Status } from './status.ts';

/**
 * Returns the coverage of a world for its page.
 *
 * @returns The coverage; `undefined` if no requests come in, so that there is nothing to protect.
 */
export function reportCoverage(assessment: Assessment): ReportCoverage | undefined {
  const { rows, required } = assessment;
  if (rows.length === 0) return undefined;
  const concerns = shownConcerns(assessment);
  const known = new Map<Cells, Map<AssessedRow['statuses'], readonly ReportCell[]>>();
  const cellsOf = (row: AssessedRow): readonly ReportCell[] => {
    const ofCells = known.get(row.row.cells) ?? new Map();
    known.set(row.row.cells, ofCells);
    const cells = ofCells.get(row.statuses) ?? concerns.map((concern) => reportCell(row, concern));
    ofCells.set(row.statuses, cells);
    return cells;
  };
  return {
    concerns: concerns.map((concern) => ({
      title: titleOf(concern),
      isRequired: required.has(concern),
      causes: causesOf(rows, concern),
    })),
    requests: rows.map((assessed) => {
      const { route, gateway, hostnames } = assessed.row;
      return { route, gateway, hostnames, cells: cellsOf(assessed) };
    }),
  };
}

function reportCell(row: AssessedRow, concern: ConcernName): ReportCell {
  const cell = cellIn(row, concern);
  const status: Status = row.statuses.get(concern) ?? 'absent';
  const accepted = row.accepted.get(concern);
  const reason = accepted === undefined ? reasonText(cell) : `${reasonText(cell)}; accepted: ${accepted.reason}`;
  return { status, state: cell.state, source: sourceOf(cell, row.row.route), reason };
}
