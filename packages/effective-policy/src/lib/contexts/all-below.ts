import { canBeEntered, type TargetNode } from '@policy-machinery/topology';

/** Returns some targets, and all that are below them. O(targets and links below). */
export function allBelow(starts: Iterable<TargetNode>): ReadonlySet<TargetNode> {
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
