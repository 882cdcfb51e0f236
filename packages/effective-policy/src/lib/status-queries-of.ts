import type { StatusQueries } from './answers/status-queries.ts';
import type { EffectivePolicies } from './effective-policies.ts';

/** Returns the queries of statuses and reviews about effective policies. O(1). */
export function statusQueries<Spec>(effective: EffectivePolicies<Spec>): StatusQueries<Spec> {
  return effective.statusQueries;
}
