import type { Reference } from './reference.ts';
import type { EndRefusal } from './resolve.ts';
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
