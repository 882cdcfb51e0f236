import { fieldWise, type TwoSidedStrategy } from '@policy-machinery/merge';
import { isJsonObject, type JsonObject, objectsIn } from '@policy-machinery/resource';

/** Returns how a route's own values are merged with policies: field by field, but each field whole. */
export const replaced = (pointer: string): TwoSidedStrategy => fieldWise({ at: { [pointer]: 'replace' } });

/**
 * Returns the CORS filter of a route's rule, in the field of SecurityPolicy.
 *
 * @param rule The rule.
 * @returns The field; `undefined` if the rule has no such filter.
 */
export function routeCors({ filters }: JsonObject): JsonObject | undefined {
  const filter = objectsIn(filters).find(({ type, cors }) => type === 'CORS' && isJsonObject(cors))?.cors;
  if (!isJsonObject(filter)) return undefined;
  const { maxAge } = filter;
  return { cors: typeof maxAge === 'number' ? { ...filter, maxAge: `${maxAge}s` } : filter };
}
