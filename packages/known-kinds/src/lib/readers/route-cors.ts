import { fieldWise, type TwoSidedStrategy } from '@policy-machinery/merge';
import type { JsonObject } from '@policy-machinery/resource';
import { filtersOf } from './rule-fields.ts';

/** Returns how a route's own values are merged with policies: field by field, but some fields whole. */
export const replaced = (...pointers: readonly string[]): TwoSidedStrategy =>
  fieldWise({ at: Object.fromEntries(pointers.map((pointer) => [pointer, 'replace' as const])) });

/**
 * Returns the CORS filter of a route's rule, in the field of SecurityPolicy.
 *
 * @returns The value; `undefined` if the rule lacks such a filter.
 */
export function routeCors(rule: JsonObject): JsonObject | undefined {
  const [filter] = filtersOf(rule, 'CORS', 'cors');
  if (filter === undefined) return undefined;
  const { maxAge } = filter;
  return typeof maxAge === 'number' ? { ...filter, maxAge: `${maxAge}s` } : filter;
}
