import type { GroupKind, JsonObject, JsonValue } from '@policy-machinery/resource';
import type { NamedTarget } from '@policy-machinery/topology';

/**
 * Returns the target of a reference.
 *
 * @param reference The reference as a resource has it; its fields may be anything.
 * @param defaults The default group and kind.
 * @returns Group, kind, name and, if there is one, namespace; `undefined` without a name, or if one of them is not a string.
 */
export function targetOf({ group, kind, namespace, name }: JsonObject, defaults: GroupKind): NamedTarget | undefined {
  const ofGroup = group ?? defaults.group;
  const ofKind = kind ?? defaults.kind;
  if (typeof name !== 'string' || typeof ofGroup !== 'string' || typeof ofKind !== 'string') return undefined;
  if (namespace === undefined || namespace === null) return { group: ofGroup, kind: ofKind, name };
  return typeof namespace === 'string' ? { group: ofGroup, kind: ofKind, namespace, name } : undefined;
}

/** Returns whether a value is absent: Gateway API treats an empty name as absent, and the API server `null`. */
export function isUnset(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}
