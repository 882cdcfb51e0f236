import { formatLocator, type KubernetesObject, type ResourceRef } from '@policy-machinery/resource';
import { getOrInsert } from '../support/get-or-insert.ts';
import type { NamedSection } from './reference.ts';
import type { Targetable } from './target-kind.ts';

/**
 * A target in the topology: a resource, or a section of one.
 *
 * Two relations meet here. *Links* lead from target to target and are what a path follows; *containment* (namespace,
 * object, section) is stacked at each step of a path. Lists are in the order of locators.
 */
export interface TargetNode {
  /** `kind.group:namespace/name#section`, unique in the topology. */
  readonly locator: string;
  readonly ref: ResourceRef;
  readonly kind: Targetable;
  /** The resource; for a section, the one that it is part of. */
  readonly resource: KubernetesObject;
  /** Name and value, if this is a section. */
  readonly section?: NamedSection;
  /** The target itself, or the one that this section is part of. */
  readonly object: TargetNode;
  /** The sections of this object, in the order of the resource. */
  readonly sections: readonly TargetNode[];
  /** How many of the sections links lead into. */
  readonly linkedSections: number;
  /** The namespace of this object, when the topology holds it. */
  readonly namespace: TargetNode | undefined;
  /** Where links into this target come from. */
  readonly linksFrom: readonly TargetNode[];
  /** Where links of this target lead to. */
  readonly linksTo: readonly TargetNode[];
}

/**
 * A target that you ask a topology about: a locator, a reference or a node. A node from before a change stands for the target that has its
 * locator now.
 */
export type TargetLike = TargetNode | ResourceRef | string;

/** The locator of a target that is given as such, by reference or by locator. */
export function locatorIn(target: TargetLike): string {
  if (typeof target === 'string') return target;
  return 'locator' in target ? target.locator : formatLocator(target);
}

/** Compares by locator, for stable orders. */
export function byLocator(a: { readonly locator: string }, b: { readonly locator: string }): number {
  return a.locator < b.locator ? -1 : Number(a.locator > b.locator);
}

/** Compares in the order in which topologies list targets: by locator, and sections after their object, as it has them. */
export function byTopologyOrder(a: TargetNode, b: TargetNode): number {
  if (a.object !== b.object) return a.object.locator < b.object.locator ? -1 : 1;
  const places = getOrInsert(placesOf, a.object.sections, placesIn);
  return (places.get(a) ?? -1) - (places.get(b) ?? -1);
}

/** The places of sections, remembered for as long as there is this list of them. */
const placesOf = new WeakMap<readonly TargetNode[], ReadonlyMap<TargetNode, number>>();

function placesIn(sections: readonly TargetNode[]): ReadonlyMap<TargetNode, number> {
  return new Map(sections.map((section, place) => [section, place]));
}
