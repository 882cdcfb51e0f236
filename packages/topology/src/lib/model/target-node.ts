import { formatLocator, type KubernetesObject, type ResourceRef } from '@policy-machinery/resource';
import { getOrInsert } from '../support/get-or-insert.ts';
import type { NamedSection } from './reference.ts';
import type { Targetable } from './target-kind.ts';

/**
 * A target in the topology: a resource, or a section of one.
 *
 * Targets have two relations. *Links* lead from target to target, and paths follow them. *Containment* (container, object, section) adds levels
 * at each step of a path. Lists are in the order of locators.
 */
export interface TargetNode {
  /** `kind.group:namespace/name#section`, unique in the topology. */
  readonly locator: string;
  readonly ref: ResourceRef;
  readonly kind: Targetable;
  /** The resource; for a section, the resource around the section. */
  readonly resource: KubernetesObject;
  /** Name and value, if this is a section. */
  readonly section?: NamedSection;
  /** The target itself; for a section, the target of the whole resource. */
  readonly object: TargetNode;
  /** The sections of this object, in the order of the resource. */
  readonly sections: readonly TargetNode[];
  /** The number of sections with links from above. */
  readonly linkedSections: number;
  /** The namespace of this object, if the topology holds the Namespace. */
  readonly namespace: TargetNode | undefined;
  /**
   * The containers of this object that the topology holds, the least specific first: cluster-scoped ones by `memberOf` of their kinds, the
   * namespace, and namespaced ones. Each is a level around the object on every path.
   */
  readonly containers: readonly TargetNode[];
  /** The targets that link to this target. */
  readonly linksFrom: readonly TargetNode[];
  /** The targets that this target links to. */
  readonly linksTo: readonly TargetNode[];
}

/** A target in a question to a topology: a locator, a reference or a node. A node from before a change means the current target with its locator. */
export type TargetLike = TargetNode | ResourceRef | string;

/** Returns the locator of a target that is given as a node, by reference or by locator. */
export function locatorOfTarget(target: TargetLike): string {
  if (typeof target === 'string') return target;
  return 'locator' in target ? target.locator : formatLocator(target);
}

/** Compares by locator, for stable orders. */
export function byLocator(a: { readonly locator: string }, b: { readonly locator: string }): number {
  return a.locator < b.locator ? -1 : Number(a.locator > b.locator);
}

/** Compares targets in the order of topologies: by locator, with sections after their object, in the order of the resource. */
export function byTopologyOrder(a: TargetNode, b: TargetNode): number {
  if (a.object !== b.object) return a.object.locator < b.object.locator ? -1 : 1;
  const places = getOrInsert(placesOf, a.object.sections, placesIn);
  return (places.get(a) ?? -1) - (places.get(b) ?? -1);
}

/** The places of sections, kept for as long as the list of sections lives. */
const placesOf = new WeakMap<readonly TargetNode[], ReadonlyMap<TargetNode, number>>();

function placesIn(sections: readonly TargetNode[]): ReadonlyMap<TargetNode, number> {
  return new Map(sections.map((section, place) => [section, place]));
}
