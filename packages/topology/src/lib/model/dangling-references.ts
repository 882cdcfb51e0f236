import type { Reference } from './reference.ts';
import type { EndRefusal } from './resolved-reference.ts';
import type { TargetNode } from './target-node.ts';

/** A reference whose target, or section of a target, is not in the topology. It becomes a link when that arrives. */
export interface UnresolvedReference {
  readonly from: TargetNode;
  readonly reference: Reference;
  /**
   * Locator of what is missing; ends with `#?` where the resource is there and only such a section is not, and with `:?` where
   * none of a kind is selected.
   */
  readonly missing: string;
}

/** A reference that its target does not admit, or that no ReferenceGrant permits: so there is no link. */
export interface RefusedReference extends EndRefusal {
  readonly from: TargetNode;
  readonly reference: Reference;
}

/** The references of a target that lead nowhere, at least in part. */
export interface DanglingReferences {
  readonly unresolved: readonly UnresolvedReference[];
  readonly refused: readonly RefusedReference[];
}

/** Whether two targets' references lead nowhere in the same way. */
export function isSameDangling(one: DanglingReferences | undefined, other: DanglingReferences | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    isSameList(one.unresolved, other.unresolved, (a, b) => a.missing === b.missing) &&
    isSameList(one.refused, other.refused, (a, b) => a.to === b.to && a.reason === b.reason && a.message === b.message)
  );
}

function isSameList<Item extends UnresolvedReference | RefusedReference>(
  one: readonly Item[],
  other: readonly Item[],
  isSame: (a: Item, b: Item) => boolean,
): boolean {
  if (one.length !== other.length) return false;
  return one.every((item, place) => {
    const its = other[place];
    return its !== undefined && item.reference.pointer === its.reference.pointer && isSame(item, its);
  });
}
