import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import { objectsFromBelow } from './objects-from-below.ts';

/** The statuses to plan again, for the policies of one kind. */
export interface StatusChanges {
  /** The kind of the policies. */
  readonly kind: GroupKind;
  /** Locators of policies. */
  readonly policies: readonly string[];
  /** Locators of the objects that policies of the kind may affect differently. */
  readonly affectedObjects: readonly string[];
  /** Locators of the objects whose own status may need an update, for kinds that plan one. Default: none. */
  readonly statuses?: readonly string[];
}

/** The locators that a plan looks at: of policies, of objects that policies may affect, and of objects with a status of their own. */
export interface PlanScope {
  readonly policies: ReadonlySet<string>;
  readonly affectedObjects: ReadonlySet<string>;
  readonly statuses: ReadonlySet<string>;
}

/** The scope of a kind that has not changed. */
export const nothing: PlanScope = { policies: new Set(), affectedObjects: new Set(), statuses: new Set() };

/** Returns the scope of a plan about everything, for the policies of one kind. O(policies + targets). */
export function everything({ policies, topology }: EffectivePolicies<unknown>): PlanScope {
  return {
    ...nothing,
    policies: new Set(policies.map(({ node }) => node.locator)),
    affectedObjects: new Set(objectsFromBelow(topology)),
  };
}

/** Returns the scope of a plan by kind of policies. A kind without an entry has not changed. */
export function scopesOf(changes: Iterable<StatusChanges>): ReadonlyMap<string, PlanScope> {
  const all = new Map<string, Record<keyof PlanScope, Set<string>>>();
  for (const { kind, policies, affectedObjects, statuses = [] } of changes) {
    const key = groupKindKey(kind);
    const there = all.get(key) ?? { policies: new Set(), affectedObjects: new Set(), statuses: new Set() };
    all.set(key, there);
    for (const locator of policies) there.policies.add(locator);
    for (const locator of affectedObjects) there.affectedObjects.add(locator);
    for (const locator of statuses) there.statuses.add(locator);
  }
  return all;
}
