import { type EffectivePolicies, namedParents } from '@policy-machinery/effective-policy';
import { groupKindKey } from '@policy-machinery/resource';
import { ancestorsBy, isSectionKind, type TargetNode } from '@policy-machinery/topology';

/** Returns the ancestors (S-11) that a target is or has above it, as status entries name them. */
export type AncestorsOf = (target: TargetNode) => readonly TargetNode[];

type View = Pick<EffectivePolicies<unknown>, 'topology' | 'kind'>;

/** Returns a test of whether an object is an ancestor of policies of a kind. */
export function ancestorTest({ kind }: Pick<View, 'kind'>): (object: TargetNode) => boolean {
  const keys = new Set(kind.ancestors.map(groupKindKey));
  return ({ kind: of }) => !isSectionKind(of) && keys.has(groupKindKey(of));
}

/** Returns a function that finds ancestors, valid while the topology does not change: each as the object directly below names it. */
export function ancestorFinder(view: View): AncestorsOf {
  const isAncestor = ancestorTest(view);
  const { naming, reach } = view.kind.ancestorEntries;
  const above = ancestorsBy({
    step: ({ node: parent }, { node: child }) => {
      if (parent.object === child.object || !isAncestor(parent.object)) return { found: [], goesOn: true };
      const found = naming === 'sections' ? namedParents(parent, child) : [parent.object];
      return { found, goesOn: reach === 'all' };
    },
  });
  return (target) => {
    if (!isAncestor(target.object)) return above(target);
    return [naming === 'sections' ? target : target.object];
  };
}
