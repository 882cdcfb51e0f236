export type { CollectedCounts } from './lib/data/collection.ts';
export type { DataPlace } from './lib/data/redacted.ts';
export { type LiveData, LiveReport, type LiveReportOptions, liveReport } from './lib/live-report.ts';
export {
  type LivePageOptions,
  livePage,
  type ReportOptions,
  reportData,
  reportPage,
  type ViewableData,
  viewableData,
} from './lib/report-page.ts';
