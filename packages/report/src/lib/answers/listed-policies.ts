import type { Report, ReportPolicy } from '../data/report.ts';

/** Returns the policies that a page lists: policies of its namespace and policies without one, or all. Answers are about any policy. */
export function listedPolicies({ data: { namespace }, policies }: Report): readonly ReportPolicy[] {
  if (namespace === undefined) return policies;
  return policies.filter(({ name }) => !name.includes('/') || name.startsWith(`${namespace}/`));
}
