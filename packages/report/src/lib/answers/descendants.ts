import type { Report } from '../data/report.ts';
import type { NodeId } from '../data/report-data.ts';

/**
 * Returns some targets and all targets below them, in breadth-first order: sections, linked targets, and the objects of linked sections.
 *
 * @param isWanted Whether to include a target. Targets that are reached only through excluded ones are left out too.
 * Default: include all.
 */
export function descendants(
  report: Report,
  from: Iterable<NodeId>,
  isWanted: (id: NodeId) => boolean = () => true,
): ReadonlySet<NodeId> {
  const reached = new Set(from);
  const linked = new Set<NodeId>();
  for (const id of reached) {
    const { sections, down } = report.node(id);
    for (const below of [...sections, ...down]) if (isWanted(below)) reached.add(below); // The loop continues with these.
    for (const below of down) linked.add(below);
  }
  // A path to a section passes the object, but no other section of it.
  const passed = (id: NodeId) =>
    linked.has(id) && isWanted(report.node(id).object) ? [report.node(id).object, id] : [id];
  return new Set([...reached].flatMap(passed));
}

/** Returns some targets and all targets above them: the objects of sections, and the sources of links. */
export function ancestors(report: Report, from: Iterable<NodeId>): ReadonlySet<NodeId> {
  const reached = new Set(from);
  for (const id of reached) {
    const { object, up, sections } = report.node(id);
    reached.add(object);
    for (const above of [...up, ...sections.flatMap((section) => report.node(section).up)]) reached.add(above);
  }
  return reached;
}
