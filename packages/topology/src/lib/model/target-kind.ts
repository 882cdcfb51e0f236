import {
  type GroupKind,
  groupKindKey,
  type JsonObject,
  type KubernetesObject,
  type ObjectFault,
  type Scope,
} from '@policy-machinery/resource';
import type { Reference } from './reference.ts';
import type { StatusDefinition } from './target-status.ts';
import type { WhileDeleting } from './while-deleting.ts';

/** A named part of a resource: a listener, a route rule, a port. */
export interface Section {
  /** Its name in the resource. Without one, or an empty one, it is named by its place: {@link SectionDefinition.nameOf}. */
  readonly name?: string | undefined;
  /** The part of the resource that the section stands for. */
  readonly value: JsonObject;
}

/** The sections that a kind has, and the references that each of them holds. */
export interface SectionDefinition {
  /** Lists the sections of a resource, in its order. */
  readonly list: (resource: KubernetesObject) => readonly Section[];
  /** Names a section that has no name, by its place (from 0) and value. Default: the place, counted from 1. */
  readonly nameOf?: (index: number, value: JsonObject) => string;
  /** The references that one section holds. Default none. */
  readonly references?: (section: SectionEntry, resource: KubernetesObject) => Iterable<Reference>;
  /** The policies that one section names, for kinds that are attached in this way. Default none. */
  readonly policyRefs?: (section: SectionEntry, resource: KubernetesObject) => Iterable<PolicyReference>;
}

/** A policy that a target names itself, in its own namespace. */
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

/** What a kind of target is: a value, which may describe kinds that no API server knows (T-16). */
export interface TargetKindDefinition<SectionName extends string = string> extends GroupKind {
  /** Default `Namespaced`. */
  readonly scope?: Scope;
  /** Its name in URLs: `httproutes`. Default: the plural of the kind in lower case, as Kubernetes' generators make it. */
  readonly plural?: string;
  /** The versions of its API that can be read, the preferred one first. Default: `v1`. */
  readonly versions?: readonly string[];
  /** The sections that policies may target, by what they are called: `listener`, `rule`, `port`. Default none. */
  readonly sections?: { readonly [Name in SectionName]: SectionDefinition };
  /** The references that a resource holds as a whole. Default none. */
  readonly references?: (resource: KubernetesObject) => Iterable<Reference>;
  /**
   * Whether references of these resources, or of their sections, may lead to a kind: `up` to what is above them, or `down` to what is below.
   * It is asked for when a topology is made, to find policy kinds whose targets could never lead to their effective targets. Default:
   * they may lead anywhere, if there are any references.
   */
  readonly mayReferTo?: (kind: GroupKind, direction: Reference['direction']) => boolean;
  /**
   * The policies that a resource as a whole names, for kinds that are attached in this way. A resource that binds policies to
   * targets is such a kind: it names the policies here, and the targets in its references. Default none.
   */
  readonly policyRefs?: (resource: KubernetesObject) => Iterable<PolicyReference>;
  /**
   * What is wrong with a resource: the fields that its sections and references are read from, but that cannot be read. Each
   * becomes an issue of the resource. Is asked once for each version of a resource. Default nothing.
   */
  readonly faults?: (resource: KubernetesObject) => readonly ObjectFault[];
  /**
   * For a virtual kind, whose resources no API server knows (T-16): derives its resources from any other one that the topology
   * is given. Must return the same for the same resource; is asked once for each. Default none.
   */
  readonly derive?: (resource: KubernetesObject) => Iterable<KubernetesObject>;
  /**
   * Whether a resource is in force only below a parent, as a route is below the Gateway that takes it in: where no link leads to it, it
   * is still a target, but policies have no effect on it or on what only it leads to. Default no.
   */
  readonly needsParent?: boolean;
  /** Whether a resource still counts while it is being deleted. Default `counts`: until it is gone. */
  readonly whileDeleting?: WhileDeleting;
  /** What the status of a resource says of the resource itself, for those who plan statuses. Default nothing. */
  readonly status?: StatusDefinition;
}

/** A kind of resource that policies can target: its definition, with the defaults of what that leaves out. */
export interface TargetKind<SectionName extends string = string>
  extends Omit<TargetKindDefinition, 'scope' | 'references' | 'policyRefs' | 'sections'>,
    Required<Pick<TargetKindDefinition, 'scope' | 'references' | 'policyRefs'>> {
  readonly sections: { readonly [Name in SectionName]: SectionKind };
}

/** A kind of section that policies can target. */
export interface SectionKind extends Required<SectionDefinition> {
  /** The kind whose resources have these sections. */
  readonly of: TargetKind;
  /** What they are called: `listener`. */
  readonly section: string;
}

/** What a policy can target: a whole resource or a section of one. */
export type Targetable = TargetKind | SectionKind;

/** Returns whether a kind of target is a kind of section. */
export function isSectionKind(target: Targetable | GroupKind): target is SectionKind {
  return 'of' in target;
}

/** Names a kind of target in messages: `HTTPRoute`, or `HTTPRoute rule`. */
export function describeTargetable(target: Targetable): string {
  return isSectionKind(target) ? `${target.of.kind} ${target.section}` : target.kind;
}

/** Whether two kinds of target are the same: someone else's value may stand for one. */
export function isSameTargetable(one: Targetable, other: Targetable): boolean {
  return one === other || targetableKey(one) === targetableKey(other);
}

/** The key under which a kind of target is looked up: two kinds of target are the same when their keys are. */
export function targetableKey(target: Targetable): string {
  return isSectionKind(target) ? `${groupKindKey(target.of)}#${target.section}` : groupKindKey(target);
}
