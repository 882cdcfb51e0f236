import type { TargetNode, Topology } from '@policy-machinery/topology';
import type { Scope } from '../model/world.ts';

/**
 * Returns some targets with their surroundings: everything above and below them, and the objects and sections of all of these.
 *
 * @param centre The targets.
 * @returns The targets. O(targets and links above and below).
 */
export function around(topology: Topology, centre: Iterable<TargetNode>): ReadonlySet<TargetNode> {
  const targets = new Set<TargetNode>();
  for (const target of centre) {
    for (const each of [
      target,
      target.object,
      ...target.sections,
      ...topology.ancestors(target),
      ...topology.descendants(target),
    ]) {
      targets.add(each);
      targets.add(each.object);
    }
  }
  return targets;
}

/**
 * Returns the targets that an answer is about: the targets of its namespace with the targets above and below, or all.
 *
 * @param scope The namespace.
 * @param target The target that is asked for, if any.
 * @returns The targets; `undefined` for all.
 */
export function targetsMeant(
  topology: Topology,
  { namespace }: Scope,
  target: TargetNode | undefined,
): ReadonlySet<TargetNode> | undefined {
  if (target !== undefined) return around(topology, [target]);
  if (namespace === undefined) return undefined;
  const isMeant = ({ ref, section }: TargetNode) => section === undefined && ref.namespace === namespace;
  return around(topology, [...topology.targets].filter(isMeant));
}
