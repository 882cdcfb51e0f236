import { type JsonObject, objectsIn } from '@policy-machinery/resource';
import type { StatusPlace } from './places.ts';

/**
 * What a controller owns of an object's status: its conditions, and a list as a whole where it cannot be owned in parts. Empty lists
 * are left out: what is not applied any more goes.
 */
export function ownedStatus(
  status: JsonObject,
  { object, sections }: StatusPlace,
  owned: readonly string[],
): JsonObject {
  if (object === 'parents') return { parents: status.parents ?? [] };
  const ownIn = (holder: JsonObject): JsonObject => {
    const conditions = conditionsIn(holder, owned);
    return conditions.length === 0 ? {} : { conditions };
  };
  const entries = sections === undefined ? [] : objectsIn(status[sections]);
  const own = entries.map((entry): JsonObject => ({ name: entry.name ?? '', ...ownIn(entry) }));
  const withOwn = own.filter(({ conditions }) => conditions !== undefined);
  return { ...ownIn(status), ...(sections === undefined || withOwn.length === 0 ? {} : { [sections]: withOwn }) };
}

/** The conditions of some types. */
export function conditionsIn({ conditions }: JsonObject, types: readonly string[]): readonly JsonObject[] {
  return objectsIn(conditions).filter(({ type }) => typeof type === 'string' && types.includes(type));
}
