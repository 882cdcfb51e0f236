import type { Report } from '../data/report.ts';
import type { NodeId } from '../data/report-data.ts';

/**
 * Returns some targets and those below them, in the order in which they are found: sections of objects, and where links lead.
 *
 * @param isWanted Whether a target is among them; what is below others is left out with them. Default: all are.
 */
export function descendants(
  report: Report,
  from: Iterable<NodeId>,
  isWanted: (id: NodeId) => boolean = () => true,
): ReadonlySet<NodeId> {
  const found = new Set(from);
  for (const id of found) {
    const { sections, down } = report.node(id);
    for (const some of [sections, down]) for (const next of some) if (isWanted(next)) found.add(next); // The loop goes on to these.
  }
  return found;
}

/** Returns some targets and those above them: the objects of sections, and where links come from. */
export function ancestors(report: Report, from: Iterable<NodeId>): ReadonlySet<NodeId> {
  const found = new Set(from);
  for (const id of found) {
    const { object, up } = report.node(id);
    if (object !== id) found.add(object);
    for (const before of up) found.add(before);
  }
  return found;
}
