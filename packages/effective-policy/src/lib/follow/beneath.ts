import { type ChangeRecord, canBeEntered, type TargetNode, type Topology } from '@policy-machinery/topology';

/**
 * The targets to which paths may come in another way, or with other levels, than before a change: where something has changed, and all
 * beneath.
 *
 * @param levels The targets that have other levels.
 */
export function beneathChanges(
  topology: Topology,
  records: readonly ChangeRecord[],
  levels: Iterable<TargetNode>,
): ReadonlySet<TargetNode> {
  return allBeneath(startsOf(topology, records, levels));
}

/** The targets at which paths may arrive in another way, or with other levels, than before. */
function startsOf(
  topology: Topology,
  records: readonly ChangeRecord[],
  levels: Iterable<TargetNode>,
): ReadonlySet<TargetNode> {
  const starts = new Set<TargetNode>();
  const add = (target: TargetNode): void => {
    starts.add(target);
    // By which of its sections an object is entered decides where paths begin.
    starts.add(target.object);
    for (const section of target.object.sections) starts.add(section);
  };
  for (const { came, entered, gone, changed } of records) {
    for (const some of [came, entered, gone]) for (const target of some) add(target);
    // Who has entered a section goes on by the links of its object.
    for (const target of changed) if (target.object.sections.some(canBeEntered)) add(target.object);
  }
  for (const target of levels) {
    starts.add(target);
    for (const member of topology.membersOf(target)) add(member);
  }
  return starts;
}

/** Some targets and all beneath them. */
export function allBeneath(starts: Iterable<TargetNode>): ReadonlySet<TargetNode> {
  const found = new Set(starts);
  for (const target of found) {
    const { sections, linksTo, section, object } = target;
    for (const next of sections) found.add(next); // The loop goes on to what is added.
    for (const next of linksTo) {
      found.add(next);
      found.add(next.object); // It is passed on the way.
    }
    if (section !== undefined && object.linksTo.length > 0 && canBeEntered(target)) {
      for (const next of object.linksTo) found.add(next);
    }
  }
  return found;
}
