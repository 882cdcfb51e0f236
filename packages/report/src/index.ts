export { type ReportOptions, reportPage } from './lib/report-page.ts';
