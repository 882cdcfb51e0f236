import type { StatusChanges } from '@policy-machinery/policy-status';
import { groupKindKey } from '@policy-machinery/resource';

/** Returns one change for each kind of policies, which names what the changes of that kind name, each once. O(changes). */
export function mergedByKind(changes: readonly StatusChanges[]): readonly StatusChanges[] {
  const byKind = new Map<string, StatusChanges>();
  for (const change of changes) {
    const key = groupKindKey(change.kind);
    const known = byKind.get(key);
    byKind.set(key, known === undefined ? change : union(known, change));
  }
  return [...byKind.values()];
}

function union(one: StatusChanges, other: StatusChanges): StatusChanges {
  return {
    kind: one.kind,
    policies: [...new Set([...one.policies, ...other.policies])],
    affectedObjects: [...new Set([...one.affectedObjects, ...other.affectedObjects])],
    statuses: [...new Set([...(one.statuses ?? []), ...(other.statuses ?? [])])],
  };
}
