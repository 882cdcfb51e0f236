import type { TargetNode, Topology } from '@policy-machinery/topology';

/**
 * Returns targets, the members of those that are namespaces, and all targets above them now.
 *
 * @param changed The targets with different levels, or with other targets below. If a link is gone, its upper end is among these, so that the
 * targets above that were above the lower one, too.
 */
export function aboveChanges(topology: Topology, changed: Iterable<TargetNode>): ReadonlySet<TargetNode> {
  const above = new Set<TargetNode>();
  for (const level of new Set(changed)) {
    for (const target of [level, ...topology.membersOf(level)]) if (topology.get(target) === target) above.add(target);
  }
  for (const { object, linksFrom, namespace, section } of above) {
    above.add(object); // The loop visits added objects, too.
    for (const parent of linksFrom) above.add(parent);
    if (section === undefined) for (const it of object.sections) for (const parent of it.linksFrom) above.add(parent);
    if (namespace !== undefined) above.add(namespace);
  }
  return above;
}
