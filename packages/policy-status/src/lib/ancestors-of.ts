import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { groupKindKey } from '@policy-machinery/resource';
import { isSectionKind, type TargetNode } from '@policy-machinery/topology';

/** Returns the ancestors (S-11) that a target is, or has above it; none where there are none. */
export type AncestorsOf = (target: TargetNode) => readonly TargetNode[];

/**
 * Returns what finds ancestors while the topology stays as it is: of a target to which many policies are attached once.
 * O(targets above) for the first question.
 */
export function ancestorFinder({ topology, kind }: EffectivePolicies<unknown>): AncestorsOf {
  const keys = new Set(kind.ancestors.map(groupKindKey));
  const isAncestor = ({ kind: of }: TargetNode): boolean => !isSectionKind(of) && keys.has(groupKindKey(of));
  const found = new Map<TargetNode, readonly TargetNode[]>();
  return (target) => {
    if (isAncestor(target.object)) return [target.object];
    const known = found.get(target) ?? topology.ancestors(target).filter(isAncestor);
    found.set(target, known);
    return known;
  };
}
