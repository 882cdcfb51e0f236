import type { GroupKind, JsonObject, JsonValue } from '@policy-machinery/resource';
import type { NamedTarget } from '@policy-machinery/topology';

/**
 * What a reference names.
 *
 * @param reference The reference as a resource has it; its fields may be anything.
 * @param defaults Group and kind where it leaves them out.
 * @returns Group, kind, name and, if there is one, namespace; `undefined` without a name.
 */
export function targetOf({ group, kind, namespace, name }: JsonObject, defaults: GroupKind): NamedTarget | undefined {
  if (typeof name !== 'string') return undefined;
  const ofGroup = typeof group === 'string' ? group : defaults.group;
  const ofKind = typeof kind === 'string' ? kind : defaults.kind;
  if (typeof namespace !== 'string') return { group: ofGroup, kind: ofKind, name };
  return { group: ofGroup, kind: ofKind, namespace, name };
}

/** To Gateway API, an empty name means none; to the API server, `null` does. */
export function isUnset(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}
