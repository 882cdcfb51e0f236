import { isSameList } from '../support/is-same-list.ts';
import type { Reference } from './reference.ts';
import type { EndRefusal, ResolvedReference } from './resolved-reference.ts';
import type { TargetNode } from './target-node.ts';

/** A reference to a target or section that the topology does not hold. It becomes a link when the target arrives. */
export interface UnresolvedReference {
  readonly from: TargetNode;
  readonly reference: Reference;
  /**
   * The locator of the missing target. It ends with `#?` if only the section is missing, and with `:?` if a selector finds no resource of the
   * kind.
   */
  readonly missing: string;
}

/** A reference that makes no link, since its target does not admit it, or no ReferenceGrant permits it. */
export interface RefusedReference extends EndRefusal {
  readonly from: TargetNode;
  readonly reference: Reference;
}

/** The references of a target that dangle, at least in part. */
export interface DanglingReferences {
  readonly unresolved: readonly UnresolvedReference[];
  readonly refused: readonly RefusedReference[];
}

/** Returns the references of a target that dangle; `undefined` if none does. */
export function danglingReferences(
  from: TargetNode,
  references: readonly ResolvedReference[],
): DanglingReferences | undefined {
  const dangling = references.filter(({ missing, refusals }) => missing !== undefined || refusals.length > 0);
  if (dangling.length === 0) return undefined;
  const unresolved: UnresolvedReference[] = [];
  const refused: RefusedReference[] = [];
  for (const { reference, missing, refusals } of dangling) {
    if (missing !== undefined) unresolved.push({ from, reference, missing });
    for (const refusal of refusals) refused.push({ from, reference, ...refusal });
  }
  return { unresolved, refused };
}

/** Returns whether two lists of dangling references are equal. */
export function isSameDangling(one: DanglingReferences | undefined, other: DanglingReferences | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    isSameList(
      one.unresolved,
      other.unresolved,
      (a, b) => a.reference.pointer === b.reference.pointer && a.missing === b.missing,
    ) &&
    isSameList(
      one.refused,
      other.refused,
      (a, b) =>
        a.reference.pointer === b.reference.pointer &&
        a.to === b.to &&
        a.reason === b.reason &&
        a.message === b.message,
    )
  );
}
