import type { GroupKind } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';

/** What a change did, by targets and policies. */
export interface EffectiveChange {
  readonly targets: Iterable<TargetNode>;
  readonly policies: Iterable<string>;
  readonly objects: Iterable<TargetNode>;
  /** The resources whose own status may say something else; absent where no kind has one. */
  readonly statuses?: Iterable<TargetNode> | undefined;
  readonly existence: ChangedExistence;
}

/** What has come and gone with a change, by locators. */
export interface ChangedExistence {
  /** What is new. */
  readonly came: ReadonlySet<string>;
  /** What is no longer there, new or not. */
  readonly gone: ReadonlySet<string>;
}

/** What changes of the topology did to the effective policies of a kind. All are locators, sorted. */
export interface EffectiveDelta {
  /** The kind of the policies. */
  readonly kind: GroupKind;
  /** The effective targets whose effective policies have come, gone or changed. */
  readonly targets: readonly string[];
  /** The policies of this kind whose status may need updating. */
  readonly policies: readonly string[];
  /** The whole resources that other policies may affect than before, or the same ones in another order. */
  readonly affectedObjects: readonly string[];
  /**
   * The whole resources whose kinds give them a status of their own, and whose status may say something else than before; absent where
   * no kind of the topology does.
   */
  readonly statuses?: readonly string[];
}

/** A reader of what changes of the topology do to effective policies. Each reader is told everything, whatever others read. */
export interface EffectiveChanges {
  /**
   * Takes what has changed since the last time, or since the reader was made: what it returns it does not return again.
   *
   * @returns The changes; for traffic from all namespaces that were asked for. O(what has changed, and what is below that).
   */
  readonly take: () => EffectiveDelta;
}

/**
 * Gathers what changes did, until they are taken. What comes and goes in between has made no difference and is left out, so that a reader who
 * never takes anything keeps the names of what was there at first, and of what is there.
 */
export class GatheredChanges {
  readonly #gathered = {
    targets: new Set<string>(),
    policies: new Set<string>(),
    affectedObjects: new Set<string>(),
  };
  #statuses: Set<string> | undefined;
  /** What was not there when changes were taken last. */
  readonly #new = new Set<string>();

  add({ targets, policies, objects, statuses, existence: { came, gone } }: EffectiveChange): void {
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

  /** Has the resources listed whose own status may say something else, even if there are none. */
  expectStatuses(): void {
    this.#statuses ??= new Set();
  }

  /** Returns what has been gathered, and begins again with nothing. */
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
    const all = Object.values(this.#gathered);
    return this.#statuses === undefined ? all : [...all, this.#statuses];
  }
}

function drained(locators: Set<string>): readonly string[] {
  const list = [...locators].sort();
  locators.clear();
  return list;
}
