import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import type { TargetKind, Topology } from '@policy-machinery/topology';

/** The statuses to plan again, for the policies of one kind. */
export interface StatusChanges {
  /** The kind of the policies. */
  readonly kind: GroupKind;
  /** Locators of policies. */
  readonly policies: readonly string[];
  /** Locators of the objects that policies of the kind may affect differently. */
  readonly affectedObjects: readonly string[];
  /** Locators of the objects that may need an update of their own status, for kinds that plan one. Default: none. */
  readonly statuses?: readonly string[];
}

const parts = ['policies', 'affectedObjects', 'statuses'] as const;

/** The locators that a plan looks at: of policies, of objects that policies may affect, and of objects with their own status. */
export class PlanScope {
  readonly policies = new Set<string>();
  readonly affectedObjects = new Set<string>();
  readonly statuses = new Set<string>();

  add(changes: Omit<StatusChanges, 'kind'>): this {
    for (const part of parts) for (const locator of changes[part] ?? []) this[part].add(locator);
    return this;
  }

  /** Returns the part of the scope that is about some policies and objects. */
  within(policies: ReadonlySet<string>, objects: ReadonlySet<string>): PlanScope {
    const part = new PlanScope();
    for (const locator of policies) if (this.policies.has(locator)) part.policies.add(locator);
    for (const locator of objects) {
      if (this.affectedObjects.has(locator)) part.affectedObjects.add(locator);
      if (this.statuses.has(locator)) part.statuses.add(locator);
    }
    return part;
  }

  remove(scope: PlanScope): void {
    for (const part of parts) for (const locator of scope[part]) this[part].delete(locator);
  }

  asChanges({ kind: { group, kind } }: EffectivePolicies<unknown>): Required<StatusChanges> {
    return {
      kind: { group, kind },
      policies: [...this.policies],
      affectedObjects: [...this.affectedObjects],
      statuses: [...this.statuses],
    };
  }
}

/** Returns the changes that lead to a plan about everything, for the policies of one kind. O(policies + targets). */
export function everything({ policies, topology }: EffectivePolicies<unknown>): Omit<StatusChanges, 'kind'> {
  return { policies: policies.map(({ node }) => node.locator), affectedObjects: objectsFromBelow(topology) };
}

/**
 * Returns the locators of all objects that the API server has, lower kinds first: the policies that affect an object follow from the objects
 * below it, which are planned by then. O(targets).
 */
function objectsFromBelow(topology: Topology): readonly string[] {
  const kinds = [...topology.targetKinds].filter(({ derive }) => derive === undefined);
  const isAbove = (above: TargetKind, below: TargetKind) => above !== below && topology.leadsTo(above, below);
  const depths = new Map(kinds.map((kind) => [kind, kinds.filter((above) => isAbove(above, kind)).length]));
  return [...depths]
    .sort(([, a], [, b]) => b - a)
    .flatMap(([kind]) => Array.from(topology.targetsOf([kind]), ({ locator }) => locator));
}

/** Returns the scope of a plan by kind of policies. A kind without an entry has not changed. */
export function scopesOf(changes: Iterable<StatusChanges>): ReadonlyMap<string, PlanScope> {
  const scopes = new Map<string, PlanScope>();
  for (const change of changes) {
    const key = groupKindKey(change.kind);
    scopes.set(key, (scopes.get(key) ?? new PlanScope()).add(change));
  }
  return scopes;
}
