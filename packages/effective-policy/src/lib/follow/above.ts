import type { ChangeRecord, TargetNode, Topology } from '@policy-machinery/topology';

/**
 * Returns the targets of which links, policies or resources have changed, and all that is above them now. What was above a target before is
 * among these, for where a link has gone, both of its ends have changed.
 *
 * @param levels The targets that have other levels: a verdict changes nothing in the topology.
 */
export function aboveChanges(
  topology: Topology,
  records: readonly ChangeRecord[],
  levels: Iterable<TargetNode>,
): ReadonlySet<TargetNode> {
  const above = new Set<TargetNode>();
  for (const target of levels) if (topology.get(target) === target) above.add(target);
  for (const { came, changed, entered } of records) {
    for (const some of [came, changed, entered]) {
      for (const target of some) if (topology.get(target) === target) above.add(target);
    }
  }
  for (const { object, linksFrom, namespace, section } of above) {
    above.add(object); // The loop goes on to what is added.
    for (const parent of linksFrom) above.add(parent);
    if (section === undefined) for (const it of object.sections) for (const parent of it.linksFrom) above.add(parent);
    if (namespace !== undefined) above.add(namespace);
  }
  return above;
}
