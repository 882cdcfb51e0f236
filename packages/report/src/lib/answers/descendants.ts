import type { Report } from '../data/report.ts';
import type { NodeId } from '../data/report-data.ts';

/**
 * Returns some targets and those below them, in breadth-first order: the sections of objects, and the targets of links.
 *
 * @param isWanted Whether to include a target. What is reached only through excluded targets is left out too. Default: include all.
 */
export function descendants(
  report: Report,
  from: Iterable<NodeId>,
  isWanted: (id: NodeId) => boolean = () => true,
): ReadonlySet<NodeId> {
  const found = new Set(from);
  for (const id of found) {
    const { sections, down } = report.node(id);
    for (const some of [sections, down]) for (const next of some) if (isWanted(next)) found.add(next); // The loop continues with these.
  }
  return found;
}

/** Returns some targets and those above them: the objects of sections, and the sources of links. */
export function ancestors(report: Report, from: Iterable<NodeId>): ReadonlySet<NodeId> {
  const found = new Set(from);
  for (const id of found) {
    const { object, up } = report.node(id);
    if (object !== id) found.add(object);
    for (const before of up) found.add(before);
  }
  return found;
}
