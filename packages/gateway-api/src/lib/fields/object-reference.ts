import type { GroupKind, JsonObject, JsonValue } from '@policy-machinery/resource';
import type { NamedTarget } from '@policy-machinery/topology';

/**
 * What a reference names.
 *
 * @param reference The reference as a resource has it; its fields may be anything.
 * @param defaults Group and kind where it leaves them out.
 * @returns Group, kind, name and, if there is one, namespace; `undefined` without a name, and where one of them is no
 * string: what is meant cannot be known then.
 */
export function targetOf({ group, kind, namespace, name }: JsonObject, defaults: GroupKind): NamedTarget | undefined {
  const ofGroup = group ?? defaults.group;
  const ofKind = kind ?? defaults.kind;
  if (typeof name !== 'string' || typeof ofGroup !== 'string' || typeof ofKind !== 'string') return undefined;
  if (namespace === undefined || namespace === null) return { group: ofGroup, kind: ofKind, name };
  return typeof namespace === 'string' ? { group: ofGroup, kind: ofKind, namespace, name } : undefined;
}

/** To Gateway API, an empty name means none; to the API server, `null` does. */
export function isUnset(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}
