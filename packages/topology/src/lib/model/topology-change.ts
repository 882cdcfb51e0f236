import type { ObjectLike, ResourceRef } from '@policy-machinery/resource';

/** A change of the cluster. */
export interface TopologyChange {
  /** New and changed resources. */
  readonly upsert?: Iterable<ObjectLike>;
  /** Whole resources that are gone, as objects, references or locators. Resources that the topology does not hold are skipped. */
  readonly remove?: Iterable<ObjectLike | ResourceRef | string>;
}

/** The options of applying a change in slices. */
export interface SliceOptions {
  /** The maximum number of resources in a slice. Default 500. */
  readonly size?: number | undefined;
}

/** The effects of a change on a topology, as sorted locators. */
export interface TopologyDelta {
  /** The targets and policies that were added. More than 1,000 are listed when you read this. */
  readonly added: readonly string[];
  /** The targets and policies that were removed. */
  readonly removed: readonly string[];
  /** The targets and policies with a changed resource, links, namespace or attachments. */
  readonly changed: readonly string[];
  /** The resources of the change of kinds that this topology does not have. */
  readonly ignored: readonly string[];
}
