import { type GroupKind, groupKindKey } from '@policy-machinery/resource';

/** What statuses have to be looked at again. */
export interface StatusChanges {
  /** The kind of policies that it is about. */
  readonly kind: GroupKind;
  /** Locators of policies. */
  readonly policies: readonly string[];
  /** Locators of the objects that policies of the kind may affect in another way than before. */
  readonly objects: readonly string[];
  /** Locators of the objects whose own status may say something else, for kinds that have one. Default none. */
  readonly statuses?: readonly string[];
}

/** Locators of policies, of objects that policies may affect otherwise, and of those whose own status may say something else. */
export type Scope =
  | 'all'
  | {
      readonly policies: ReadonlySet<string>;
      readonly objects: ReadonlySet<string>;
      readonly statuses: ReadonlySet<string>;
    };

/** The scope of a kind that has not changed. */
export const nothing: Scope = { policies: new Set(), objects: new Set(), statuses: new Set() };

/** What has to be looked at, by kinds of policies. A kind that is not among the changes has not changed. */
export function scopesOf(changes: Iterable<StatusChanges>): ReadonlyMap<string, Exclude<Scope, 'all'>> {
  const all = new Map<string, Record<keyof Exclude<Scope, 'all'>, Set<string>>>();
  for (const { kind, policies, objects, statuses = [] } of changes) {
    const key = groupKindKey(kind);
    const there = all.get(key) ?? { policies: new Set(), objects: new Set(), statuses: new Set() };
    all.set(key, there);
    for (const locator of policies) there.policies.add(locator);
    for (const locator of objects) there.objects.add(locator);
    for (const locator of statuses) there.statuses.add(locator);
  }
  return all;
}
