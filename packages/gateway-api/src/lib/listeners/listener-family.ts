import type { NamedSection, TargetNode } from '@policy-machinery/topology';
import { compareAge, compareNames } from '../fields/compare-objects.ts';
import { gatewayKind, isSameKind, ownsListeners } from '../fields/hierarchy.ts';
import { type ListenerConflict, listenerConflicts } from './listener-conflict.ts';

/** A Gateway and the ListenerSets that it accepts, whose listeners can conflict with one another. */
export interface ListenerFamily {
  /** The Gateway, then its ListenerSets: the oldest first, and then by `namespace/name` (GEP-1713). */
  readonly owners: readonly TargetNode[];
  /** The listeners in conflict with one of higher precedence. */
  readonly conflicts: ReadonlyMap<NamedSection | undefined, ListenerConflict>;
}

/** Returns the family of a Gateway, or of a ListenerSet that no Gateway accepts. O(its listeners). */
export function listenerFamily(head: TargetNode): ListenerFamily {
  const sets = head.linksTo
    .filter(({ ref }) => ownsListeners(ref))
    .sort((a, b) => compareAge(a.resource, b.resource) || compareNames(a.resource, b.resource));
  const owners = [head, ...sets];
  const conflicts = listenerConflicts(
    owners.map(({ sections }) => sections.map(({ section }) => section as NamedSection)),
  );
  return { owners, conflicts };
}

/** Returns the Gateway that accepts a ListenerSet; `undefined` if none does. */
export function gatewayOf(listenerSet: TargetNode): TargetNode | undefined {
  return listenerSet.linksFrom.find(({ ref }) => isSameKind(ref, gatewayKind));
}
