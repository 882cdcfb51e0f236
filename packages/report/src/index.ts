export type { ReportOutcome } from './lib/data/collect.ts';
export type { CollectedCounts, SecretsOf } from './lib/data/collection.ts';
export type {
  ReportCause,
  ReportCell,
  ReportConcern,
  ReportCoverage,
  ReportCoveredRequests,
} from './lib/data/coverage-rows.ts';
export { type LiveData, LiveReport, type LiveReportOptions, liveReport } from './lib/live-report.ts';
export { livePage, type ReportOptions, reportPage } from './lib/report-page.ts';
