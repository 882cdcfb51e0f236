import type { GroupKind, JsonObject, JsonValue, KubernetesObject } from '@policy-machinery/resource';
import type { TargetSelector } from '@policy-machinery/target-ref';

/**
 * A reference that a resource holds to others, and so a link of the topology for each of them. None of them need exist (yet).
 */
export interface Reference {
  /** Whether the target is above (a parent) or below (a child) in the hierarchy. */
  readonly direction: 'up' | 'down';
  /** What is meant, by name or by what is true of it. */
  readonly to: NamedTarget | SelectedTargets;
  /**
   * Links only these sections of the target, instead of the target as a whole. Say it by criteria where you can: these are looked up,
   * while a function is called for each section.
   */
  readonly toSections?: SectionCriteria | ((section: NamedSection) => boolean);
  /**
   * Whether the reference makes no link, and is only looked up for what a status says of it, as a listener's certificates are: see
   * `referencesOf` of a topology. It is in no list of unresolved or refused references, and no issue. Default no.
   */
  readonly withoutLink?: boolean;
  /** Links the target as a whole where `toSections` means none of its sections. Default: then it leads nowhere. */
  readonly orWhole?: boolean;
  /**
   * Whether a ReferenceGrant must permit the reference where it leaves its namespace (T-24). It is asked for before the target
   * is looked up, so that the answer does not reveal whether that exists (T-25). Cluster-scoped resources need none, and are free to be
   * referred to. Default no.
   */
  readonly needsGrant?: boolean;
  /**
   * Lets the target decide about the reference: a refusal makes no link. What it needs to know beyond the target it must ask
   * of `lookup`, for the link is decided again only when one of the two has changed. With `absent` the target counts as if it
   * did not exist, in all that is reported (T-25). Default: it is admitted.
   */
  readonly admits?: (end: LinkEnd, lookup: AdmissionLookup) => Refusal | 'absent' | undefined;
  /**
   * For references whose meaning depends on how their holder is reached: decides, when all links are there, which of them stay.
   *
   * @param arriving What the relaying references hand on that lead to the resource of the holder, and whose links stay. The decision
   * is made again when that may have changed, and when the holder or an end has.
   */
  readonly relay?: (arriving: readonly unknown[]) => Relay;
  /**
   * Whether links of this reference give way where they would make a cycle, so that a tenant who writes one does not make a change fail for
   * everyone. Of a cycle that paths come into at one place only, the links that lead back to that place are left out. Of what
   * goes round still, the link gives way whose reference is the youngest, and it alone: by the creation time of its resource,
   * then by locator, then by pointer; without a time it is the youngest. Where one group of cycles has more than 500 links that can give
   * way, or very many targets, all of these do. Each is refused with the reason `Cycle`. Default no: a cycle is an error.
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

/** All resources of a kind that are selected. For cluster-scoped kinds `namespaces` does not count. */
export interface SelectedTargets extends TargetSelector {
  /** The namespace that `Same` means. Default: that of the resource that holds the reference. */
  readonly namespace?: string;
  /** Selects by what the resources themselves say. Default: all of them. */
  readonly where?: (resource: KubernetesObject) => boolean;
}

/** A section and the name that it goes by in locators. */
export interface NamedSection {
  readonly name: string;
  readonly value: JsonObject;
}

/** Sections by name and by one of their fields. What is given must be the same; without either, every section is meant. */
export interface SectionCriteria {
  readonly name?: string | undefined;
  /** A field of the section, by key. Objects and lists are the same as no other. */
  readonly field?: readonly [key: string, value: JsonValue] | undefined;
}

/** What a reference leads to. */
export interface LinkEnd {
  readonly resource: KubernetesObject;
  /** The section of the resource, if the reference means sections. */
  readonly section?: NamedSection;
}

/** What may be asked when a target decides about a reference. */
export interface AdmissionLookup {
  /** The labels of a Namespace; `undefined` where the topology does not hold it. O(1). */
  readonly namespaceLabels: (name: string) => Readonly<Record<string, string>> | undefined;
  /** Whether the topology holds a resource. A namespaced one must say where it is. O(1). */
  readonly has: (target: NamedTarget) => boolean;
}

/** What a reference makes of what arrives at its holder. */
export interface Relay {
  /** What it hands on to all that it leads to. */
  readonly value: unknown;
  /** Whether the link to an end stays. The answer means the same as that of {@link Reference.admits}. */
  readonly admits: (end: LinkEnd) => Refusal | 'absent' | undefined;
}

/** Why a target does not admit a reference. */
export interface Refusal {
  /** In CamelCase, for programs: `NotAllowedByListeners`. */
  readonly reason: string;
  /** For people: what stands against the reference, as a part of a sentence. */
  readonly message: string;
}
