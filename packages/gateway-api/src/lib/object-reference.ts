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
  const to: NamedTarget = {
    group: typeof group === 'string' ? group : defaults.group,
    kind: typeof kind === 'string' ? kind : defaults.kind,
    name,
  };
  return typeof namespace === 'string' ? { ...to, namespace } : to;
}

/** To Gateway API, an empty name means none; to the API server, `null` does. */
export function isUnset(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}
