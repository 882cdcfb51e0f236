export { livePage, type ReportOptions, reportData, reportPage } from './lib/report-page.ts';
