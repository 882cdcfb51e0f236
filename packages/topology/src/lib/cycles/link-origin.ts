import type { Reference } from '../model/reference.ts';
import type { TargetNode } from '../model/target-node.ts';

/** A reference that makes a link. */
export interface LinkOrigin {
  /** The target that holds the reference. */
  readonly from: TargetNode;
  readonly reference: Reference;
}
