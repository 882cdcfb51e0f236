import { isJsonObject, type JsonObject } from '@policy-machinery/resource';
import type { StatusPlace } from './places.ts';

/** What a controller owns of an object's status: its conditions, and a list as a whole where it cannot be owned in parts. */
export function ownedStatus(
  status: JsonObject,
  { object, sections }: StatusPlace,
  owned: readonly string[],
): JsonObject {
  if (object === 'parents') return { parents: status.parents ?? [] };
  const ownIn = (holder: JsonObject) => conditionsIn(holder, owned);
  if (sections === undefined) return { conditions: ownIn(status) };
  const entries = Array.isArray(status[sections]) ? status[sections].filter(isJsonObject) : [];
  const own = entries.flatMap((entry) => {
    const conditions = ownIn(entry);
    return conditions.length === 0 ? [] : [{ name: entry.name ?? '', conditions }];
  });
  return { conditions: ownIn(status), [sections]: own };
}

/** The conditions of some types. */
export function conditionsIn({ conditions }: JsonObject, types: readonly string[]): readonly JsonObject[] {
  if (!Array.isArray(conditions)) return [];
  return conditions.filter(isJsonObject).filter(({ type }) => typeof type === 'string' && types.includes(type));
}
