import type { StatusPlan } from '@policy-machinery/policy-status';
import { formatStatuses } from '@policy-machinery/text';
import { indented, type MatcherContext, type MatcherResult, result } from './result.ts';

/** Checks that a plan has nothing to write, and that nothing was refused. */
export function toPlanNothing(this: MatcherContext, { writes, refused }: StatusPlan): MatcherResult {
  const explanation = (): string => {
    if (writes.length === 0 && refused.length === 0) return 'Nothing is planned.';
    const planned = writes.map(({ locator, patch, result: writtenObject }) => {
      const operations = patch.map(({ op, path }) => `${op} ${path}`).join(', ');
      return [`${locator}: ${operations}`, indented(formatStatuses([writtenObject]))].join('\n');
    });
    return [...planned, ...refused.map(({ resource, message }) => `${resource}: refused: ${message}`)].join('\n');
  };
  const pass = writes.length === 0 && refused.length === 0;
  return result(
    pass,
    { subject: 'the plan', expectation: 'to have no writes', explanation },
    { actual: writes.map(({ locator }) => locator), expected: [] },
  );
}
