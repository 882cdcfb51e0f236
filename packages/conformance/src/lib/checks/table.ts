import type { Check } from './check.ts';
import { conflictChecks } from './conflicts.ts';
import { discoverabilityChecks } from './discoverability.ts';
import { statusChecks } from './statuses.ts';
import { targetChecks } from './targets.ts';

/** All checks, in the order of their runs. */
export const conformanceChecks: readonly Check[] = [
  ...targetChecks,
  ...conflictChecks,
  ...statusChecks,
  ...discoverabilityChecks,
];
