export { type AdmissionServer, type ServeAdmissionOptions, serveAdmission } from './lib/serve/serve-admission.ts';
export type { FetchHandler } from './lib/serve/to-fetch.ts';
