import { type JsonObject, type JsonValue, objectsIn } from '@policy-machinery/resource';
import type { SectionStatus, TargetStatus } from '@policy-machinery/topology';
import { known } from './kind-status.ts';
import type { StatusLocation } from './status-locations.ts';

/**
 * Returns the part of an object's status that the controller owns: its conditions, the fields that the kind of the object defines, and
 * lists that cannot be owned in parts. Empty lists are left out: fields that are no longer applied are removed.
 *
 * @param owned The condition types about policies.
 * @param kindStatus The status that the kind of the object defines. Default nothing.
 */
export function ownedFields(
  status: JsonObject,
  { object, sections }: StatusLocation,
  owned: readonly string[],
  kindStatus: TargetStatus = {},
): JsonObject {
  if (object === 'parents') return { parents: status.parents ?? [] };
  const ownIn = (holder: JsonObject, { conditions = [], fields = {} }: Owned = {}): JsonObject => {
    const types = [...owned, ...known(conditions).map(({ type }) => type)];
    const itsOwn = conditionsIn(holder, types);
    return { ...fieldsIn(holder, fields), ...(itsOwn.length === 0 ? {} : { conditions: itsOwn }) };
  };
  if (sections === undefined) return ownIn(status, kindStatus);
  const byName = new Map(kindStatus.sections?.map((section) => [section.name, section]));
  const entries = objectsIn(status[sections]).flatMap((entry): JsonObject[] => {
    const itsOwn = ownIn(entry, typeof entry.name === 'string' ? byName.get(entry.name) : undefined);
    return Object.keys(itsOwn).length === 0 ? [] : [{ name: entry.name ?? '', ...itsOwn }];
  });
  return { ...ownIn(status, kindStatus), ...(entries.length === 0 ? {} : { [sections]: entries }) };
}

type Owned = Partial<Pick<SectionStatus, 'conditions' | 'fields'>>;

function fieldsIn(holder: JsonObject, fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(fields).map((key): [string, JsonValue] => [key, holder[key] ?? null]));
}

export function conditionsIn({ conditions }: JsonObject, types: readonly string[]): readonly JsonObject[] {
  return objectsIn(conditions).filter(({ type }) => typeof type === 'string' && types.includes(type));
}
