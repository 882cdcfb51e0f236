import type { Reference } from './reference.ts';
import type { EndRefusal } from './resolved-reference.ts';
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
