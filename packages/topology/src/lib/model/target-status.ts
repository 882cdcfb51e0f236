import type { JsonObject } from '@policy-machinery/resource';
import type { TargetNode } from './target-node.ts';
import type { Topology } from './topology.ts';

/** The status of a kind of resource, about the resource itself rather than about policies. */
export interface StatusDefinition {
  /**
   * Returns the content of a resource's status, from its links and references; `undefined` if the controller does not manage the resource. Default:
   * the controller does not write statuses of the kind, and only `dependents` counts.
   */
  readonly of?: (resource: TargetNode, context: StatusContext) => TargetStatus | undefined;
  /**
   * Returns the resources with statuses that depend on this resource beyond their own links and references: they are planned again when this
   * resource changes. Default: none.
   */
  readonly dependents?: ((resource: TargetNode, change: StatusChange) => Iterable<TargetNode>) | undefined;
}

/** The context of planning statuses: one value for all resources of a plan, during which nothing changes. */
export interface StatusContext {
  readonly topology: Topology;
  /** The name of the controller that writes the status, as in GatewayClass. */
  readonly controllerName: string;
}

/** A change of a resource that statuses of other resources may depend on. */
export interface StatusChange {
  readonly topology: Topology;
  /**
   * The changed part: the content of the resource (`resource`), links from above (`above`), its own links (`links`), or its
   * dangling references (`references`).
   */
  readonly cause: 'resource' | 'above' | 'links' | 'references';
}

/** A condition without the fields that are added when it is written. */
export interface StatusCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** The reason in CamelCase, for programs. */
  readonly reason: string;
  readonly message: string;
}

/**
 * The content of a status: about a resource as a whole, about each of its sections, and about each of its parents. A condition `Unknown` leaves
 * the condition in the status unchanged: other controllers may set it.
 */
export interface TargetStatus {
  /** The conditions of the resource. Default: none. */
  readonly conditions?: readonly StatusCondition[];
  /** Further fields of the status, by key. Default: none. */
  readonly fields?: JsonObject;
  /** The entries for sections, by name. Entries for other sections are removed. Default: the status does not have such entries. */
  readonly sections?: readonly SectionStatus[];
  /** The entries for parents that the controller manages. Default: the status does not have such entries. */
  readonly parents?: ParentStatuses;
}

/** The entry of a status for one section. */
export interface SectionStatus {
  readonly name: string;
  /** Further fields of the entry, by key. */
  readonly fields?: JsonObject;
  readonly conditions: readonly StatusCondition[];
}

/** The entries of a status for parents. */
export interface ParentStatuses {
  /** The types of condition in the entries. They are removed from the controller's entries for other parents. */
  readonly types: readonly string[];
  readonly entries: readonly ParentStatus[];
}

/** The entry of a status for one parent. */
export interface ParentStatus {
  /** The reference to the parent, as in the resource. */
  readonly parentRef: JsonObject;
  readonly conditions: readonly StatusCondition[];
}
