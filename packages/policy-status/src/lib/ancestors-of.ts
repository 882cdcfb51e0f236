import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { groupKindKey } from '@policy-machinery/resource';
import { ancestorsWhere, isSectionKind, type TargetNode } from '@policy-machinery/topology';

/** Returns the ancestors (S-11) that a target is, or has above it; none where there are none. */
export type AncestorsOf = (target: TargetNode) => readonly TargetNode[];

/** Returns what finds ancestors while the topology stays as it is. */
export function ancestorFinder({ kind }: EffectivePolicies<unknown>): AncestorsOf {
  const keys = new Set(kind.ancestors.map(groupKindKey));
  const isAncestor = ({ kind: of }: TargetNode): boolean => !isSectionKind(of) && keys.has(groupKindKey(of));
  const above = ancestorsWhere(isAncestor);
  return (target) => (isAncestor(target.object) ? [target.object] : above(target));
}
