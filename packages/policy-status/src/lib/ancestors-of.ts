import { type EffectivePolicies, namedParents } from '@policy-machinery/effective-policy';
import { groupKindKey } from '@policy-machinery/resource';
import { ancestorsWhere, isSectionKind, type TargetNode } from '@policy-machinery/topology';

/** Returns the ancestors (S-11) that a target is, or has above it, as entries of statuses name them; none where there are none. */
export type AncestorsOf = (target: TargetNode) => readonly TargetNode[];

type View = Pick<EffectivePolicies<unknown>, 'topology' | 'kind'>;

/** Returns what tells whether an object is an ancestor of policies of a kind. */
export function ancestorTest({ kind }: Pick<View, 'kind'>): (object: TargetNode) => boolean {
  const keys = new Set(kind.ancestors.map(groupKindKey));
  return ({ kind: of }) => !isSectionKind(of) && keys.has(groupKindKey(of));
}

/** Returns what finds ancestors while the topology stays as it is: of a target to which many policies are attached once. */
export function ancestorFinder(view: View): AncestorsOf {
  const isAncestor = ancestorTest(view);
  const { naming, reach } = view.kind.ancestorEntries;
  const above = naming === 'objects' && reach === 'all' ? ancestorsWhere(isAncestor) : undefined;
  const found = new Map<TargetNode, readonly TargetNode[]>();
  return (target) => {
    if (isAncestor(target.object)) return [naming === 'sections' ? target : target.object];
    if (above !== undefined) return above(target);
    const known = found.get(target) ?? entriesAbove(target, { isAncestor, naming, reach });
    found.set(target, known);
    return known;
  };
}

/** The ancestors above a target, as what is right below each names them; upwards beyond an ancestor only where all count. */
function entriesAbove(
  target: TargetNode,
  { isAncestor, naming, reach }: PolicyEntries & { readonly isAncestor: (object: TargetNode) => boolean },
): readonly TargetNode[] {
  const entries = new Set<TargetNode>();
  const reached = new Set([target]);
  for (const child of reached) {
    for (const parent of new Set([...child.linksFrom, ...child.object.linksFrom])) {
      if (!isAncestor(parent.object))
        reached.add(parent); // The loop goes on to what is added.
      else {
        for (const named of naming === 'sections' ? namedParents(parent, child) : [parent.object]) entries.add(named);
        if (reach === 'all') reached.add(parent);
      }
    }
  }
  return [...entries];
}

type PolicyEntries = View['kind']['ancestorEntries'];
