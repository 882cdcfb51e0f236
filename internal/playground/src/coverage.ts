import type { ReportCoverage } from '@policy-machinery/report';
import type { Issue } from '@policy-machinery/resource';
import { assess } from '../../../packages/cli/src/lib/covering/assess.ts';
import { replacedIn } from '../../../packages/cli/src/lib/covering/replaced.ts';
import { reportCoverage } from '../../../packages/cli/src/lib/covering/report-coverage.ts';
import { type CoveredWorld, rowsOf } from '../../../packages/cli/src/lib/covering/world-coverage.ts';

/** Which requests are protected, and the policies that replace the protection of others. */
export interface Covered {
  /** `undefined` if no requests come in. */
  readonly coverage: ReportCoverage | undefined;
  readonly issues: readonly Issue[];
}

/**
 * Returns which requests are protected, as `gwpolicy coverage` and `gwpolicy lint` do.
 *
 * @param world The topology, the manifests and the policy kinds.
 */
export function coverageOn(world: Omit<CoveredWorld, 'assumed'>): Covered {
  const options = { required: [], accepted: [], scope: { namespace: undefined } };
  const assessment = assess(rowsOf({ ...world, assumed: [] }), options);
  const issues = replacedIn(assessment.rows).flatMap(({ severity, ...issue }) =>
    severity === 'note' ? [] : [{ ...issue, severity }],
  );
  return { coverage: reportCoverage(assessment), issues };
}
