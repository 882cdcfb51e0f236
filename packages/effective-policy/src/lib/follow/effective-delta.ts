import type { GroupKind } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';

/** The effects of a change, as targets and policies. */
export interface ChangeEffects {
  readonly targets: Iterable<TargetNode>;
  readonly policies: Iterable<string>;
  readonly affectedObjects: Iterable<TargetNode>;
  /** The resources that may need an update of their own status; absent if no kind has its own status. */
  readonly statuses?: Iterable<TargetNode> | undefined;
  /** The locators of added contexts and targets. */
  readonly came: ReadonlySet<string>;
  /** The locators of removed ones, added by the same change or not. */
  readonly gone: ReadonlySet<string>;
}

/** The effects of changes of the topology on the effective policies of a kind. All lists are sorted locators. */
export interface EffectiveDelta {
  /** The kind of the policies. */
  readonly kind: GroupKind;
  /** The effective targets with added, removed or changed effective policies. */
  readonly targets: readonly string[];
  /** The policies of this kind that may need a status update. */
  readonly policies: readonly string[];
  /** The whole resources that may be affected by different policies, or by the same policies in another order. */
  readonly affectedObjects: readonly string[];
  /** The whole resources with their own status that may need updating; absent if no kind of the topology gives its resources one. */
  readonly statuses?: readonly string[];
}

/** A reader of changes to effective policies. Each reader receives all changes, independent of other readers. */
export interface EffectiveChanges {
  /**
   * Returns the changes after the last call, at first after the creation of the reader. Each change is returned once.
   *
   * @returns The changes, for traffic from all namespaces in use. O(changes and targets below them).
   */
  readonly take: () => EffectiveDelta;
}

/**
 * Collects the effects of changes until they are taken. Items that were added and removed in between are left out, so that a reader that
 * never takes anything holds the names of the items that existed at first, and of those that exist now.
 */
export class GatheredChanges {
  readonly #gathered = {
    targets: new Set<string>(),
    policies: new Set<string>(),
    affectedObjects: new Set<string>(),
  };
  #statuses: Set<string> | undefined;
  /** The locators of items that did not exist when changes were taken last. */
  readonly #new = new Set<string>();

  add({ targets, policies, affectedObjects: objects, statuses, came, gone }: ChangeEffects): void {
    if (statuses !== undefined) this.expectStatuses();
    for (const locator of came) if (!this.#has(locator)) this.#new.add(locator);
    for (const { locator } of targets) this.#gathered.targets.add(locator);
    for (const locator of policies) this.#gathered.policies.add(locator);
    for (const { locator } of objects) this.#gathered.affectedObjects.add(locator);
    for (const { locator } of statuses ?? []) this.#statuses?.add(locator);
    for (const locator of gone) {
      if (!this.#new.delete(locator)) continue;
      for (const names of this.#all()) names.delete(locator);
    }
  }

  /** From now on, lists the resources that may need an update of their own status, even if the list is empty. */
  expectStatuses(): void {
    this.#statuses ??= new Set();
  }

  /** Returns the collected changes, and starts over. */
  take(): Omit<EffectiveDelta, 'kind'> {
    const { targets, policies, affectedObjects } = this.#gathered;
    this.#new.clear();
    return {
      targets: drained(targets),
      policies: drained(policies),
      affectedObjects: drained(affectedObjects),
      ...(this.#statuses === undefined ? {} : { statuses: drained(this.#statuses) }),
    };
  }

  #has(locator: string): boolean {
    return this.#all().some((names) => names.has(locator));
  }

  #all(): readonly Set<string>[] {
    const allNames = Object.values(this.#gathered);
    return this.#statuses === undefined ? allNames : [...allNames, this.#statuses];
  }
}

function drained(locators: Set<string>): readonly string[] {
  const list = [...locators].sort();
  locators.clear();
  return list;
}
