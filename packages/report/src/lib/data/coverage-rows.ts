import type { TargetNode } from '@policy-machinery/topology';
import { internedLists } from './interned.ts';
import type { Names } from './names.ts';
import type { CauseRow, CellRow, ConcernRow, CoverageData, CoveredRow, NodeId } from './report-data.ts';

/** How some requests meet one concern. */
export interface ReportCell {
  /** `uncovered`, `weak`, `unknown`, `accepted`, `absent`, `covered` or `not-needed`. */
  readonly status: string;
  /** `own`, `inherited`, `lost`, `off`, `none`, `unknown` or `not-needed`. */
  readonly state: string;
  /** Who decides, in short: `infra/public`. */
  readonly source: string;
  /** The reason, in one line. */
  readonly reason: string;
}

/** Why some requests are not protected. */
export interface ReportCause {
  readonly status: string;
  readonly cause: string;
  readonly remedy: string;
  readonly routes: readonly TargetNode[];
}

/** A concern, such as authentication. */
export interface ReportConcern {
  /** Its name in a sentence: `rate limit`. */
  readonly title: string;
  readonly isRequired: boolean;
  /** Why requests do not meet it, the worst first. */
  readonly causes: readonly ReportCause[];
}

/** Requests that a route takes through a Gateway. */
export interface ReportCoveredRequests {
  readonly route: TargetNode;
  readonly gateway: TargetNode;
  readonly hostnames: readonly string[];
  /** How they meet each concern, in the order of {@link ReportCoverage.concerns}. Requests with the same answer share one list. */
  readonly cells: readonly ReportCell[];
}

/** Which requests are protected. */
export interface ReportCoverage {
  readonly concerns: readonly ReportConcern[];
  readonly requests: readonly ReportCoveredRequests[];
}

/** The rows of coverages, with the names in them. */
const rowsByCoverage = new WeakMap<ReportCoverage, { readonly names: Names; readonly rows: CoverageData }>();

/**
 * Returns the rows of a coverage, once for the same names: targets that are gone by then are still in it. Equal rows are one. O(requests).
 *
 * @param names The names of the page.
 */
export function coverageRows(coverage: ReportCoverage, names: Names): CoverageData {
  const last = rowsByCoverage.get(coverage);
  if (last?.names === names) return last.rows;
  const rows = rowsOf(coverage, names);
  rowsByCoverage.set(coverage, { names, rows });
  return rows;
}

function rowsOf({ concerns, requests }: ReportCoverage, names: Names): CoverageData {
  const cells = internedLists<CellRow>();
  const answers = internedLists<readonly number[]>();
  const rows = internedLists<CoveredRow>();
  const answerOf = new Map<readonly ReportCell[], number>();
  for (const { route, gateway, hostnames, cells: routeCells } of requests) {
    const [from, to] = [names.node(gateway), names.node(route)];
    if (from < 0 || to < 0) continue;
    const answer =
      answerOf.get(routeCells) ?? answers.place(routeCells.map((cell) => cells.place(cellRow(cell, names))));
    answerOf.set(routeCells, answer);
    rows.place([to, from, answer, ...hostnames.map((name) => names.text(name))]);
  }
  return {
    concerns: concerns.map((concern) => concernRow(concern, names)),
    cells: cells.values,
    answers: answers.values,
    rows: rows.values,
  };
}

function cellRow({ status, state, source, reason }: ReportCell, names: Names): CellRow {
  return [names.text(status), names.text(state), names.text(source), names.text(reason)];
}

function concernRow({ title, isRequired, causes }: ReportConcern, names: Names): ConcernRow {
  const rows = causes.map(({ status, cause, remedy, routes }): CauseRow => {
    const nodes: readonly NodeId[] = routes.map((route) => names.node(route)).filter((id) => id >= 0);
    return [names.text(status), names.text(cause), names.text(remedy), ...nodes];
  });
  return [names.text(title), isRequired ? 1 : 0, ...rows];
}
