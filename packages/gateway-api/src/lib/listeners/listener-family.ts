import type { JsonObject } from '@policy-machinery/resource';
import type { NamedSection, TargetNode } from '@policy-machinery/topology';
import { reportedDecision, reportedListeners } from '../attachment/acceptance.ts';
import { compareAge, compareNames } from '../fields/compare-objects.ts';
import { gatewayKind, isSameKind, ownsListeners } from '../fields/hierarchy.ts';
import type { DataPlane, GatewayFacts } from './data-plane.ts';
import { type ListenerConflict, listenerConflicts } from './listener-conflict.ts';
import { lacksTls } from './listener-protocol.ts';

/** A Gateway and the ListenerSets that it accepts, whose listeners can conflict with one another. */
export interface ListenerFamily {
  /** The Gateway, then its ListenerSets: the oldest first, and then by `namespace/name` (GEP-1713). */
  readonly owners: readonly TargetNode[];
  /** The listeners in conflict with one of higher precedence. */
  readonly conflicts: ReadonlyMap<NamedSection | undefined, ListenerConflict>;
  readonly dataPlane: DataPlane;
}

/**
 * Returns the family of a Gateway, or of a ListenerSet that no Gateway accepts. O(its listeners).
 *
 * @param head The Gateway or ListenerSet.
 * @param facts Whether the current status of a listener decides, if it contains a decision, and whether HTTPS listeners need `tls`.
 */
export function listenerFamily(head: TargetNode, { dataPlane, statusCounts }: GatewayFacts): ListenerFamily {
  const sets = head.linksTo
    .filter(({ ref }) => ownsListeners(ref))
    .sort((a, b) => compareAge(a.resource, b.resource) || compareNames(a.resource, b.resource));
  const owners = [head, ...sets];
  const listeners = owners.map(({ sections }) => sections.map(({ section }) => section as NamedSection));
  const isRefused = ({ value }: NamedSection) => dataPlane.listenersWithoutTls === 'refused' && lacksTls(value);
  const computed = new Map<NamedSection, ListenerConflict>([
    ...listenerConflicts(listeners.map((own) => own.filter((listener) => !isRefused(listener)))),
    ...listeners.flat().flatMap((listener) => (isRefused(listener) ? [[listener, 'no tls'] as const] : [])),
  ]);
  return { owners, conflicts: statusCounts ? withReported(computed, owners) : computed, dataPlane };
}

type Conflicts = ListenerFamily['conflicts'];

/** Returns the conflicts as the statuses of the owners report them, and as they are computed for listeners without a reported decision. */
function withReported(computed: Conflicts, owners: readonly TargetNode[]): Conflicts {
  const conflicts = new Map(computed);
  for (const { resource, sections } of owners) {
    const isRefused = typeof reportedDecision(resource) === 'object';
    const byListener = reportedListeners(resource);
    for (const { section } of sections) {
      const reported = isRefused ? 'not accepted' : conflictIn(byListener.get(section?.name) ?? []);
      if (reported === 'accepted') conflicts.delete(section);
      else if (reported !== undefined) conflicts.set(section, reported);
    }
  }
  return conflicts;
}

/** Returns the decision in the conditions of a listener. */
function conflictIn(conditions: readonly JsonObject[]): ListenerConflict | 'accepted' | undefined {
  const is = (wanted: string, status: string) =>
    conditions.find((condition) => condition.type === wanted && condition.status === status);
  const conflicted = is('Conflicted', 'True');
  if (conflicted !== undefined) {
    return conflicted.reason === 'ProtocolConflict' ? 'protocol conflict' : 'hostname conflict';
  }
  if (is('Accepted', 'False') !== undefined) return 'not accepted';
  return is('Accepted', 'True') === undefined ? undefined : 'accepted';
}

/** Returns the Gateway that accepts a ListenerSet; `undefined` if none does. */
export function gatewayOf(listenerSet: TargetNode): TargetNode | undefined {
  return listenerSet.linksFrom.find(({ ref }) => isSameKind(ref, gatewayKind));
}
