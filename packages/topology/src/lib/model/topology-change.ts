import type { KubernetesObject, ResourceRef } from '@policy-machinery/resource';

/** A change of the cluster. */
export interface TopologyChange {
  /** Resources that are new or have changed. */
  readonly upsert?: Iterable<KubernetesObject>;
  /** Whole resources that are gone, by themselves, by reference or by locator. Those that are not there are skipped. */
  readonly remove?: Iterable<KubernetesObject | ResourceRef | string>;
}

/** How a change is applied in slices. */
export interface SliceOptions {
  /** How many resources a slice has at most. Default 500. */
  readonly size?: number;
}

/** What a change did to a topology. All are locators, sorted. */
export interface TopologyDelta {
  /** Targets and policies that are new. Where they are more than 1,000, they are listed when someone reads this. */
  readonly added: readonly string[];
  /** Targets and policies that are gone. */
  readonly removed: readonly string[];
  /** Targets and policies whose resource, links, namespace or attachments have changed. */
  readonly changed: readonly string[];
  /** Resources of the change whose kind this topology does not know. */
  readonly ignored: readonly string[];
}
