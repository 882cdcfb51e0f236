import type { GroupKind } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';

/** What a change did, by targets and policies. */
export interface EffectiveChange {
  readonly targets: Iterable<TargetNode>;
  readonly policies: Iterable<string>;
  readonly objects: Iterable<TargetNode>;
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

/** Gathers what changes did, until they are taken. */
export class GatheredChanges {
  readonly #targets = new Set<string>();
  readonly #policies = new Set<string>();
  readonly #objects = new Set<string>();
  #statuses: Set<string> | undefined;

  add({ targets, policies, objects }: EffectiveChange): void {
    for (const { locator } of targets) this.#targets.add(locator);
    for (const locator of policies) this.#policies.add(locator);
    for (const { locator } of objects) this.#objects.add(locator);
  }

  /** Takes down the resources whose own status may say something else. */
  addStatuses(statuses: Iterable<TargetNode>): void {
    const all = this.#statuses ?? new Set();
    this.#statuses = all;
    for (const { locator } of statuses) all.add(locator);
  }

  /** Returns what has been gathered, and begins again with nothing. */
  take(): Omit<EffectiveDelta, 'kind'> {
    return {
      targets: drained(this.#targets),
      policies: drained(this.#policies),
      affectedObjects: drained(this.#objects),
      ...(this.#statuses === undefined ? {} : { statuses: drained(this.#statuses) }),
    };
  }
}

function drained(locators: Set<string>): readonly string[] {
  const list = [...locators].sort();
  locators.clear();
  return list;
}
