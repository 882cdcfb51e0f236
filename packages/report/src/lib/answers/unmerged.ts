import type { Report } from '../data/report.ts';
import type { NodeId, PolicyId } from '../data/report-data.ts';

/** A policy of a kind with unknown merging, with a target that it is attached to. */
export interface UnmergedPolicy {
  readonly policy: PolicyId;
  readonly node: NodeId;
}

/**
 * Returns the policies of kinds with unknown merging that are attached to some targets, to their objects or to their namespaces. The page lists
 * them without an outcome.
 *
 * @param nodes The targets of a way, or all above and below a target.
 * @returns The policies by their numbers, each with the first target that it is attached to.
 */
export function unmergedAt(report: Report, nodes: Iterable<NodeId>): readonly UnmergedPolicy[] {
  const places = new Set<NodeId>();
  const namespaces = new Set<string>();
  for (const id of nodes) {
    const { object, namespace } = report.node(id);
    places.add(id).add(object);
    if (namespace !== undefined) namespaces.add(namespace);
  }
  return report.policies.flatMap(({ id, outcome, targets }): UnmergedPolicy | readonly [] => {
    if (outcome !== 'not-merged') return [];
    const node = targets.find((target) => {
      const { kind, name } = report.node(target);
      return places.has(target) || (kind === 'Namespace' && namespaces.has(name));
    });
    return node === undefined ? [] : { policy: id, node };
  });
}
