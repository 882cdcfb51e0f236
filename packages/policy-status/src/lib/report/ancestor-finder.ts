import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { namedParents } from '@policy-machinery/effective-policy/inner';
import { groupKindKey } from '@policy-machinery/resource';
import { isSectionKind, type TargetNode } from '@policy-machinery/topology';
import { ancestorsBy } from '@policy-machinery/topology/inner';

/** Returns the ancestors that a target is or has above it, as status entries name them. */
export type AncestorsOf = (target: TargetNode) => readonly TargetNode[];

type View = Pick<EffectivePolicies<unknown>, 'topology' | 'kind'>;

/** Returns a test of whether an object, or the object of a section, is an ancestor of policies of a kind. */
export function ancestorTest({ kind }: Pick<View, 'kind'>): (target: TargetNode) => boolean {
  const keys = new Set(kind.ancestors.map(groupKindKey));
  return ({ object: { kind: of } }) => !isSectionKind(of) && keys.has(groupKindKey(of));
}

/**
 * Returns a function that finds ancestors, valid while the topology does not change: each as the object directly below names it. For a path without
 * an ancestor, it returns the topmost target.
 */
export function ancestorFinder(view: View): AncestorsOf {
  const isAncestor = ancestorTest(view);
  const { naming, reach } = view.kind.ancestorEntries;
  const above = ancestorsBy({
    begin: ({ node }) => (isAncestor(node) ? [] : [node.object]),
    step: ({ node: parent }, { node: child }, ancestors) => {
      if (parent.object === child.object || !isAncestor(parent)) return ancestors;
      const parents = naming === 'sections' ? namedParents(parent, child) : [parent.object];
      return reach === 'nearest' ? parents : [...ancestors.filter(isAncestor), ...parents];
    },
  });
  return (target) => {
    if (!isAncestor(target)) return above(target);
    return [naming === 'sections' ? target : target.object];
  };
}

/** Returns whether an object, or the object of a section, is the object of a target, or belongs to the container that is the target. */
export function isPartOf({ object }: TargetNode, target: TargetNode): boolean {
  return object === target.object || object.containers.includes(target);
}
