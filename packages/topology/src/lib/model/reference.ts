import type { GroupKind, JsonObject, JsonValue, KubernetesObject } from '@policy-machinery/resource';
import type { TargetSelector } from '@policy-machinery/target-ref';

/** A reference from a resource to others. The topology has a link for each of these that exists. */
export interface Reference {
  /** Whether the target is above (a parent) or below (a child) in the hierarchy. */
  readonly direction: 'up' | 'down';
  /** The resources that the reference leads to, by name or by selector. */
  readonly to: NamedTarget | SelectedTargets;
  /**
   * Links only these sections of the target, instead of the whole target. Prefer criteria, which are looked up, to a function, which is called
   * for each section.
   */
  readonly toSections?: SectionCriteria | ((section: NamedSection) => boolean);
  /**
   * Whether the reference makes no link, and is only resolved for statuses, like a listener's certificates: see `referencesOf` of a topology.
   * Such a reference is never among unresolved or refused references, nor an issue. Default: no.
   */
  readonly withoutLink?: boolean;
  /** Whether to link the whole target if `toSections` matches none of its sections. Default: no; then the reference dangles. */
  readonly orWhole?: boolean;
  /**
   * Whether a ReferenceGrant must permit the reference if it leaves its namespace. Grants are checked before the target is looked up, so that
   * the result does not reveal whether the target exists. References from and to cluster-scoped resources need no grant. Default: no.
   */
  readonly needsGrant?: boolean;
  /**
   * Returns why a target does not admit the reference, so that no link is made; `undefined` if the target admits it. Ask `lookup` for all further
   * data: the link is decided again only if the target or an answer of `lookup` changes. With `absent`, everything reports the target as if it did
   * not exist. Default: the reference is admitted.
   */
  readonly admits?: (end: LinkEnd, lookup: AdmissionLookup) => Refusal | 'absent' | undefined;
  /**
   * For references with a meaning that depends on how paths reach their holder: decides which links stay, once all links are known.
   *
   * @param arriving The values handed on by the relaying references that lead to the holder's resource and keep their links. The decision is made
   * again when these values may have changed, and when the holder or an end has changed.
   */
  readonly relay?: (arriving: readonly unknown[]) => Relay;
  /**
   * Whether links of this reference are dropped if they are part of a cycle, so that a tenant who creates a cycle does not make changes fail for
   * others. If paths enter a cycle at one target only, the links that lead back to that target are dropped. In the cycles that are left, the
   * link of the youngest reference is dropped, by the creation time of its resource, then by locator, then by pointer; a resource without a time
   * is the youngest. If one group of cycles has more than 500 links that can be dropped, or very many targets, all of these links are dropped.
   * Each is refused with the reason `Cycle`. Default: no; a cycle is an error.
   */
  readonly onCycle?: 'refuse' | 'drop';
  /** JSON Pointer to the reference, from the root of the resource. */
  readonly pointer: string;
}

/** One resource, by name. */
export interface NamedTarget extends GroupKind {
  readonly name: string;
  /** Default: the namespace of the resource that holds the reference. Ignored for cluster-scoped kinds. */
  readonly namespace?: string;
}

/** The selected resources of a kind. For cluster-scoped kinds, `namespaces` is ignored. */
export interface SelectedTargets extends TargetSelector {
  /** The namespace for `Same`. Default: the namespace of the resource that holds the reference. */
  readonly namespace?: string;
  /** Returns whether a resource is selected. Default: all are. */
  readonly where?: (resource: KubernetesObject) => boolean;
}

/** A section and its name in locators. */
export interface NamedSection {
  readonly name: string;
  readonly value: JsonObject;
}

/** Sections by name and by the value of one field. Without both, all sections match. */
export interface SectionCriteria {
  readonly name?: string | undefined;
  /** The key and value of a field of the section. Objects and lists match nothing. */
  readonly field?: readonly [key: string, value: JsonValue] | undefined;
}

/** An end of a reference. */
export interface LinkEnd {
  readonly resource: KubernetesObject;
  /** The section of the resource, if the reference means sections. */
  readonly section?: NamedSection;
}

/** The data that a target can use to decide about a reference. */
export interface AdmissionLookup {
  /** Returns the labels of a Namespace; `undefined` if the topology does not hold the Namespace. O(1). */
  readonly namespaceLabels: (name: string) => Readonly<Record<string, string>> | undefined;
  /** Returns whether the topology holds a resource. Set the namespace of a namespaced one. O(1). */
  readonly has: (target: NamedTarget) => boolean;
  /** Returns a resource that the topology holds. Set the namespace of a namespaced one. O(1). */
  readonly resource: (target: NamedTarget) => KubernetesObject | undefined;
}

/** The decision of a relaying reference. */
export interface Relay {
  /** The value that the reference hands on to its ends. */
  readonly value: unknown;
  /** Returns why the link to an end does not stay, like {@link Reference.admits}. */
  readonly admits: (end: LinkEnd) => Refusal | 'absent' | undefined;
}

/** The reason why a target does not admit a reference. */
export interface Refusal {
  /** The reason in CamelCase, for programs: `NotAllowedByListeners`. */
  readonly reason: string;
  /** The reason for people, as a part of a sentence. */
  readonly message: string;
  /**
   * The resource without which the target refuses, if the topology does not hold it: the Namespace with the labels in question. A topology that is not
   * complete for it does not know whether the target refuses. Default: none; the target refuses for certain.
   */
  readonly lacks?: Lacking;
}

/** A resource that a topology does not hold. */
export interface Lacking extends GroupKind {
  /** Default: the resource is cluster-scoped. */
  readonly namespace?: string | undefined;
  /** Default: any resource of the kind. */
  readonly name?: string;
}
