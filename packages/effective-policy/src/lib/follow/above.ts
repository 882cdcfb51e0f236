import type { ChangeRecord, TargetNode, Topology } from '@policy-machinery/topology';

/**
 * Returns the targets with changed links, policies or resources, the members of those that are namespaces, and all targets above them now. Targets that were above before the change
 * are among these: if a link is gone, both of its ends have changed.
 *
 * @param levels The targets with different levels: a verdict changes levels without a change of the topology.
 */
export function aboveChanges(
  topology: Topology,
  records: readonly ChangeRecord[],
  levels: Iterable<TargetNode>,
): ReadonlySet<TargetNode> {
  const above = new Set<TargetNode>();
  for (const level of levels) {
    for (const target of [level, ...topology.membersOf(level)]) if (topology.get(target) === target) above.add(target);
  }
  for (const { came, changed, entered } of records) {
    for (const some of [came, changed, entered]) {
      for (const target of some) if (topology.get(target) === target) above.add(target);
    }
  }
  for (const { object, linksFrom, namespace, section } of above) {
    above.add(object); // The loop visits added objects, too.
    for (const parent of linksFrom) above.add(parent);
    if (section === undefined) for (const it of object.sections) for (const parent of it.linksFrom) above.add(parent);
    if (namespace !== undefined) above.add(namespace);
  }
  return above;
}
