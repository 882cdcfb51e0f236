import {
  type GroupKind,
  groupKindKey,
  type JsonObject,
  type KubernetesObject,
  type ObjectFault,
  type ResourceScope,
} from '@policy-machinery/resource';
import type { Complete } from '@policy-machinery/resource/inner';
import type { Creation } from './creation.ts';
import type { Reference } from './reference.ts';
import type { Rivalry } from './rivalry.ts';
import type { StatusDefinition } from './target-status.ts';
import type { WhileDeleting } from './while-deleting.ts';

/** A named part of a resource: a listener, a route rule, a port. */
export interface Section {
  /** The name in the resource. A section without a name is named by its place: {@link SectionDefinition.nameOf}. */
  readonly name?: string | undefined;
  /** The part of the resource. */
  readonly value: JsonObject;
}

/** The sections of one sort that a kind has, and their references. */
export interface SectionDefinition {
  /** Returns the sections of a resource, in its order. */
  readonly list: (resource: KubernetesObject) => readonly Section[];
  /** Returns the name of a section without a name, from its place (from 0) and value. Default: the place, counted from 1. */
  readonly nameOf?: ((index: number, value: JsonObject) => string) | undefined;
  /** Returns the references of one section. Default: none. */
  readonly references?: ((section: SectionEntry, resource: KubernetesObject) => Iterable<Reference>) | undefined;
  /** The rule that keeps the section from linking all targets that refer to it. Default: it keeps all that its references admit. */
  readonly rivals?: Rivalry | undefined;
  /** Returns the policies that one section names, for policy kinds that are attached in this way. Default: none. */
  readonly policyRefs?: ((section: SectionEntry, resource: KubernetesObject) => Iterable<PolicyReference>) | undefined;
}

/** A policy that a target names, in the namespace of the target. */
export interface PolicyReference extends GroupKind {
  readonly name: string;
  /** JSON Pointer to the reference, from the root of the resource. */
  readonly pointer: string;
}

/** A section and its place in the list of its resource. */
export interface SectionEntry {
  readonly index: number;
  readonly value: JsonObject;
}

/** The definition of a kind of target. It may describe kinds that no API server knows. */
export interface TargetKindDefinition<SectionName extends string = string> extends GroupKind {
  /** The scope of the resources. Default `Namespaced`. */
  readonly scope?: ResourceScope | undefined;
  /** The plural name, as in URLs: `httproutes`. Default: the plural of the kind in lower case, as Kubernetes' generators form it. */
  readonly plural?: string | undefined;
  /** The supported versions of the API, the preferred one first. Default: `v1`. */
  readonly versions?: readonly string[] | undefined;
  /** The sections that policies may target, by sort: `listener`, `rule`, `port`. Default: none. */
  readonly sections?: { readonly [Name in SectionName]: SectionDefinition } | undefined;
  /** Returns the references of a resource as a whole. Default: none. */
  readonly references?: ((resource: KubernetesObject) => Iterable<Reference>) | undefined;
  /**
   * Returns whether references of these resources, or of their sections, may lead to a kind: `up` to parents, or `down` to children. It is called
   * when a topology is created, to find policy kinds with targets that cannot lead to their effective targets. Default: references may lead
   * to any kind.
   */
  readonly mayReferTo?: ((kind: GroupKind, direction: Reference['direction']) => boolean) | undefined;
  /**
   * Returns the policies that a resource as a whole names, for policy kinds that are attached in this way. A resource that binds policies to targets
   * names the policies here, and the targets in its references. Default: none.
   */
  readonly policyRefs?: ((resource: KubernetesObject) => Iterable<PolicyReference>) | undefined;
  /**
   * Returns the faults of a resource: the fields with sections and references that cannot be read. Each becomes an issue of the resource. The
   * function is called once for each version of a resource. Default: none.
   */
  readonly faults?: ((resource: KubernetesObject) => readonly ObjectFault[]) | undefined;
  /**
   * For a virtual kind, unknown to API servers: returns the resources that are derived from another resource of the topology. The result must
   * depend on that resource only; the function is called once for each. Default: none.
   */
  readonly derive?: ((resource: KubernetesObject) => Iterable<KubernetesObject>) | undefined;
  /**
   * Whether derived resources only replace missing resources in the topology: the API server knows the kind, and its resources prevail, as for
   * Namespaces that only their objects show. Default: no; derived resources are virtual.
   */
  readonly standIns?: boolean | undefined;
  /**
   * Whether a resource is in force only below a parent, like a route below a Gateway that accepts the route. Without a link to it, the resource is
   * still a target, but policies affect neither the resource nor targets that only the resource leads to. Default: no.
   */
  readonly needsParent?: boolean | undefined;
  /**
   * For a kind of containers, such as tenants: returns the name of the container that another resource states, in its labels, annotations or fields.
   * Like a Namespace, a container is a level on every path of its members, and links to nothing. A namespaced container contains objects of its
   * namespace. The result must depend on the resource only. Default: none.
   */
  readonly memberOf?: (resource: KubernetesObject) => string | undefined;
  /** Whether a resource counts while it is being deleted. Default `counts`. */
  readonly whileDeleting?: WhileDeleting | undefined;
  /**
   * Returns the resources that a controller creates for a resource, such as the HTTPRoutes of another kind of route. A created resource that the
   * topology does not hold is never reported as missing: whether it exists is not known. Default: nothing.
   */
  readonly creates?: ((resource: KubernetesObject) => readonly Creation[]) | undefined;
  /** Whether the effect of the resources on requests is unknown, as for routes of an unknown kind. Default: no. */
  readonly isOpaque?: boolean | undefined;
  /** Whether the kind is known by its name only, so that the meaning of references to it depends on the implementation. Default: no. */
  readonly isForeign?: boolean | undefined;
  /** The status of the resources themselves, for planning statuses. Default: none. */
  readonly status?: StatusDefinition | undefined;
}

/** A kind of resource that policies can target: its definition, with defaults filled in. */
export interface TargetKind<SectionName extends string = string>
  extends Complete<Omit<TargetKindDefinition, 'sections'>, 'scope' | 'references' | 'policyRefs'> {
  readonly sections: { readonly [Name in SectionName]: SectionKind };
}

/** A kind of section that policies can target. */
export interface SectionKind extends Complete<SectionDefinition, 'list' | 'nameOf' | 'references' | 'policyRefs'> {
  /** The kind of the resources with these sections. */
  readonly of: TargetKind;
  /** The sort of these sections: `listener`. */
  readonly section: string;
}

/** A kind that policies can target: of whole resources, or of sections. */
export type Targetable = TargetKind | SectionKind;

/**
 * Returns whether a kind is virtual: no API server knows its resources, which are all derived from others.
 *
 * @param kind A kind of resource.
 */
export function isVirtualKind({ derive, standIns }: Pick<TargetKindDefinition, 'derive' | 'standIns'>): boolean {
  return derive !== undefined && standIns !== true;
}

/** Returns whether a kind of target is a kind of section. */
export function isSectionKind(target: Targetable | GroupKind): target is SectionKind {
  return 'of' in target;
}

/** Returns the kind of resources that are targets of a kind, or have them as sections. */
export function ownerOf(target: Targetable): TargetKind {
  return isSectionKind(target) ? target.of : target;
}

/** Returns the name of a kind of target for messages: `HTTPRoute`, or `HTTPRoute rule`. */
export function describeTargetable(target: Targetable): string {
  return isSectionKind(target) ? `${target.of.kind} ${target.section}` : target.kind;
}

/** Returns whether two values describe the same kind of target, by group, kind and sort of section. */
export function isSameTargetable(some: Targetable, other: Targetable): boolean {
  return some === other || targetableKey(some) === targetableKey(other);
}

/** Returns the key of a kind of target: two kinds of target are the same if their keys are equal. */
export function targetableKey(target: Targetable): string {
  return isSectionKind(target) ? `${groupKindKey(target.of)}#${target.section}` : groupKindKey(target);
}
