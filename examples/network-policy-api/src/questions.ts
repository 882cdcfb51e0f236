import type { Question } from './report.ts';

/** The questions about the shop in the manifests. */
export const questions: readonly Question[] = [
  { from: 'shop/frontend', to: 'payments/ledger', port: 5432 },
  { from: 'payments/api', to: 'payments/ledger', port: 5432 },
  { from: 'monitoring/prometheus', to: 'payments/ledger', port: 9187 },
  { from: 'sandbox/scratch', to: 'shop/frontend', port: 8080 },
];
