import type { JsonObject } from '@policy-machinery/resource';
import type { TargetNode } from './target-node.ts';
import type { Topology } from './topology.ts';

/** What the status of a kind of resource says of the resource itself, apart from policies. */
export interface StatusDefinition {
  /**
   * Returns what the status of a resource is to say, from its links and references; `undefined` where the resource is none of the
   * controller's business. Default: the kind has no status of its own, and only `dependents` counts.
   */
  readonly of?: (resource: TargetNode, context: StatusContext) => TargetStatus | undefined;
  /**
   * Returns the resources whose statuses depend on this one beyond their own links and references, and so are looked at again when this
   * one has changed. Default none.
   */
  readonly dependents?: (resource: TargetNode, change: StatusChange) => Iterable<TargetNode>;
}

/** Who asks for a status: one value for all resources whose statuses are planned together, between which nothing changes. */
export interface StatusContext {
  readonly topology: Topology;
  /** The controller that writes the status, as in GatewayClass. */
  readonly controllerName: string;
}

/** A change of a resource on which statuses of others may depend. */
export interface StatusChange {
  readonly topology: Topology;
  /**
   * Whether its content has changed (`resource`), other links lead into it (`above`), it has other links than before (`links`), or its
   * references are refused in another way (`references`).
   */
  readonly cause: 'resource' | 'above' | 'links' | 'references';
}

/** A condition without what is added when it is written. */
export interface StatusCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** In CamelCase, for programs. */
  readonly reason: string;
  readonly message: string;
}

/**
 * What a status says about a resource as a whole, about each of its sections, and about each of its parents. A condition that is
 * `Unknown` is left as it is in the status: others may know it.
 */
export interface TargetStatus {
  /** The conditions of the resource. Default none. */
  readonly conditions?: readonly StatusCondition[];
  /** Further fields of the status, by key. Default none. */
  readonly fields?: JsonObject;
  /** The entries for sections, by name: entries for others are removed. Default: the status has none. */
  readonly sections?: readonly SectionStatus[];
  /** The entries for parents that are the controller's business. Default: the status has none. */
  readonly parents?: ParentStatuses;
}

/** What a status says about one section. */
export interface SectionStatus {
  readonly name: string;
  /** Further fields of the entry, by key. */
  readonly fields?: JsonObject;
  readonly conditions: readonly StatusCondition[];
}

/** What a status says about parents. */
export interface ParentStatuses {
  /** The types of condition that the entries have: entries of the controller for other parents lose them. */
  readonly types: readonly string[];
  readonly entries: readonly ParentStatus[];
}

/** What a status says about one parent. */
export interface ParentStatus {
  /** The reference, as the resource has it. */
  readonly parentRef: JsonObject;
  readonly conditions: readonly StatusCondition[];
}
