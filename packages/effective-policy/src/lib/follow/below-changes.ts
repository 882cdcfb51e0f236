import {
  type ChangeRecord,
  canBeEntered,
  type TargetNode,
  type Topology,
  targetsBelow,
} from '@policy-machinery/topology';

/**
 * Returns the targets whose paths may differ from before a change, by links or by levels: the targets that have changed, and all below.
 *
 * @param levels The targets with different levels.
 */
export function belowChanges(
  topology: Topology,
  records: readonly ChangeRecord[],
  levels: Iterable<TargetNode>,
): ReadonlySet<TargetNode> {
  return targetsBelow(startsOf(topology, records, levels));
}

/** Returns the targets at which paths may arrive by other links, or with other levels, than before. */
function startsOf(
  topology: Topology,
  records: readonly ChangeRecord[],
  levels: Iterable<TargetNode>,
): ReadonlySet<TargetNode> {
  const starts = new Set<TargetNode>();
  const add = (target: TargetNode): void => {
    starts.add(target);
    // Whether paths enter an object by a section decides where paths begin.
    starts.add(target.object);
    for (const section of target.object.sections) starts.add(section);
  };
  for (const { came, entered, gone, changed } of records) {
    for (const some of [came, entered, gone]) for (const target of some) add(target);
    // Paths that enter a section go on by the links of its object.
    for (const target of changed) if (target.object.sections.some(canBeEntered)) add(target.object);
  }
  for (const target of levels) {
    starts.add(target);
    for (const member of topology.membersOf(target)) add(member);
  }
  return starts;
}
