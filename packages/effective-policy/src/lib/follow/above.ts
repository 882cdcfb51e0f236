import { type TargetNode, type Topology, targetsAbove } from '@policy-machinery/topology';

/**
 * Returns targets, the members of those that are namespaces, and all targets above them now.
 *
 * @param changed The targets with different levels, or with other targets below. If a link is gone, its upper end is among these, so that the
 * targets above that were above the lower one, too.
 */
export function aboveChanges(topology: Topology, changed: Iterable<TargetNode>): ReadonlySet<TargetNode> {
  const starts = new Set<TargetNode>();
  for (const level of new Set(changed)) {
    for (const target of [level, ...topology.membersOf(level)]) if (topology.get(target) === target) starts.add(target);
  }
  return targetsAbove(starts);
}
