import { canBeEntered, type TargetNode } from '@policy-machinery/topology';

/** Returns some targets with all targets below them. O(targets and links below). */
export function allBelow(starts: Iterable<TargetNode>): ReadonlySet<TargetNode> {
  const found = new Set(starts);
  for (const target of found) {
    const { sections, linksTo, section, object } = target;
    for (const next of sections) found.add(next); // The loop visits added targets, too.
    for (const next of linksTo) {
      found.add(next);
      found.add(next.object); // The path passes the object.
    }
    if (section !== undefined && object.linksTo.length > 0 && canBeEntered(target)) {
      for (const next of object.linksTo) found.add(next);
    }
  }
  return found;
}
