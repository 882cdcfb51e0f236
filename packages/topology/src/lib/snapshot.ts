import type { Issue, KubernetesObject } from '@policy-machinery/resource';
import type { PolicyNode } from './attachment.ts';
import type { Position } from './position.ts';
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

/** All that is known of a set of resources at one moment. Never changes. */
export interface Snapshot {
  readonly resources: ReadonlyMap<string, KubernetesObject>;
  /** Objects and sections by locator, in the order of locators; an object stands before its sections. */
  readonly targets: ReadonlyMap<string, TargetNode>;
  readonly policies: ReadonlyMap<string, PolicyNode>;
  /** The policies attached to each target itself, in the order of their locators. */
  readonly attached: ReadonlyMap<TargetNode, readonly PolicyNode[]>;
  /** Every position that a path can be at, each after all that lead to it. */
  readonly order: readonly Position[];
  readonly unresolved: readonly UnresolvedReference[];
  readonly refused: readonly RefusedReference[];
  readonly issues: readonly Issue[];
}
