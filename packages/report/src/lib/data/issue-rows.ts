import { type Issue, PolicyMachineryError, parseLocator } from '@policy-machinery/resource';
import { formatRef } from '@policy-machinery/topology';
import type { Names } from './names.ts';
import type { IssueRow } from './report-data.ts';

/** Returns the address that explains a code; `undefined` if there is none. */
export type PageOfCode = (code: string) => string | undefined;

/** Returns issues in their order, errors first, each with the policy or target that it is about. */
export function issueRows(issues: readonly Issue[], names: Names, pageOf: PageOfCode): readonly IssueRow[] {
  const bySeverity = (['error', 'warning'] as const).flatMap((severity) =>
    issues.filter((issue) => issue.severity === severity),
  );
  return bySeverity.map((issue): IssueRow => {
    const page = pageOf(issue.code);
    const about = { locator: issue.resource ?? '' };
    const [policy, node] = [names.policy(about), names.node(about)];
    const place = placeOf(issue, policy >= 0 || node >= 0);
    const row = [names.text(issue.severity), names.text(issue.message), names.text(place), policy, node] as const;
    return page === undefined ? row : [...row, names.text(page)];
  });
}

/** Returns the file and line of an issue if they are known, then the resource, unless it is shown as a link, and the field. */
function placeOf({ position, resource, pointer }: Issue, isLinked: boolean): string {
  const file = position === undefined ? [] : [`${position.source}:${position.line}:${position.column}`];
  const field = pointer === undefined || pointer === '' ? [] : [pointer];
  return [...file, ...(resource === undefined || isLinked ? [] : [nameOf(resource)]), ...field].join(' ');
}

/** Returns a locator as people write it, without the group: `httproute shop/cart`. */
function nameOf(locator: string): string {
  try {
    return formatRef(parseLocator(locator));
  } catch (error) {
    if (error instanceof PolicyMachineryError) return locator;
    throw error;
  }
}
