export { reportData } from './lib/report-page.ts';
