import type { Verdict } from '@policy-machinery/guarantees';
import type { Finding } from './answer.ts';

export interface PageGuarantees {
  readonly verdicts: readonly Verdict[];
  /** The faults of guarantees that cannot be verified. */
  readonly issues: readonly Finding[];
  /** Why guarantees are not known. */
  readonly notes: readonly string[];
}
