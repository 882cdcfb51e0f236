import type { Reading } from '@policy-machinery/observability';
import { type GroupKind, groupKindKey } from '@policy-machinery/resource';

/**
 * Counts things by kind, for gauges such as `quarantinedObjects`.
 *
 * @param kinds The kind of each thing.
 * @returns A number for each kind that occurs.
 */
export function countKinds(kinds: Iterable<GroupKind>): readonly Reading<{ readonly kind: string }>[] {
  const counts = new Map<string, number>();
  for (const each of kinds) {
    const kind = groupKindKey(each);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => [{ kind }, count]);
}
