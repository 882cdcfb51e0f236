import { type ChangeRecord, type TargetNode, type Topology, targetsRerouted } from '@policy-machinery/topology';
import type { EffectiveChanges, EffectiveDelta } from './effective-delta.ts';

/** The rows that changes of a topology have made stale. */
export class StaleRows {
  readonly #topology: Topology;
  readonly #records: readonly ChangeRecord[];
  readonly #effective: readonly EffectiveDelta[];

  private constructor(topology: Topology, records: readonly ChangeRecord[], effective: readonly EffectiveDelta[]) {
    this.#topology = topology;
    this.#records = records;
    this.#effective = effective;
  }

  /** @internal Use {@link createFollower}. */
  static make(...parts: [Topology, readonly ChangeRecord[], readonly EffectiveDelta[]]): StaleRows {
    return new StaleRows(...parts);
  }

  /** The locators of the objects that were upserted or removed. */
  get given(): ReadonlySet<string> {
    return new Set(this.#records.flatMap(({ given }) => given));
  }

  /** The locators of the policies with another spec, status, attachment, issue, or share of effective policies. */
  get policies(): ReadonlySet<string> {
    const policies = new Set(this.#effective.flatMap((delta) => delta.policies));
    for (const record of this.#records) {
      for (const locator of record.policies.keys()) policies.add(locator);
      for (const locator of record.reported) if (this.#topology.policy(locator) !== undefined) policies.add(locator);
    }
    return policies;
  }

  /** The targets that exist and are new, or have another resource or other links, each with its object. */
  get targets(): ReadonlySet<TargetNode> {
    const targets = new Set<TargetNode>();
    for (const { came, entered, changed } of this.#records) {
      for (const { locator } of [...came, ...entered, ...changed]) {
        const target = this.#topology.get(locator);
        if (target !== undefined) targets.add(target).add(target.object);
      }
    }
    return targets;
  }

  /** The locators of the targets that do not exist any more. */
  get gone(): ReadonlySet<string> {
    const removedLocators = this.#records.flatMap((record) => Array.from(record.gone, ({ locator }) => locator));
    return new Set(removedLocators.filter((locator) => this.#topology.get(locator) === undefined));
  }

  /** The targets that other paths may lead to than before; also targets that do not exist any more. O(changes, and targets and links below). */
  get rerouted(): ReadonlySet<TargetNode> {
    return targetsRerouted(this.#topology, this.#records);
  }

  /**
   * The targets with other links, and those with a resource that differs in more than its status; also targets that do not exist any more. If a
   * link is gone, both of its ends.
   */
  get rewritten(): ReadonlySet<TargetNode> {
    const touched = this.#records.map(({ came, gone, entered, changed, rewritten }) => {
      const moved = [...came, ...gone, ...entered];
      return moved.length > 0 ? [...moved, ...changed, ...rewritten] : [...rewritten];
    });
    return new Set(touched.flat());
  }

  /** The targets that changes have touched in any way; also targets that do not exist any more. */
  get touched(): ReadonlySet<TargetNode> {
    const touched = this.#records.flatMap(({ came, gone, changed, entered, restated }) => [
      ...came,
      ...[gone, changed, entered, restated].flatMap((some) => [...some]),
    ]);
    return new Set(touched);
  }
}

/** Follows a topology and effective policies. Made with {@link createFollower}. */
export class Follower {
  readonly #topology: Topology;
  readonly #readers: readonly EffectiveChanges[];
  #version: number | undefined;

  private constructor(topology: Topology, views: readonly Followed[]) {
    this.#topology = topology;
    this.#readers = views.map((view) => view.changes());
  }

  /** @internal Use {@link createFollower}. */
  static make(topology: Topology, views: readonly Followed[]): Follower {
    return new Follower(topology, views);
  }

  /**
   * Returns the changes after the last call, each once.
   *
   * @returns The changes of effective policies in the order of the views, and the rows that have become stale; `undefined` instead of these if every
   * row is: at first, and if the topology does not keep all these changes. O(changes, and targets below them).
   */
  take(): { readonly effective: readonly EffectiveDelta[]; readonly stale: StaleRows | undefined } {
    const effective = this.#readers.map((reader) => reader.take());
    const records = this.#version === undefined ? undefined : this.#topology.changesSince(this.#version);
    this.#version = this.#topology.version;
    return { effective, stale: records && StaleRows.make(this.#topology, records, effective) };
  }
}

/**
 * Creates a follower of a topology and effective policies, for anything that is computed from them, such as a report or verdicts. Create one for each
 * purpose and keep it: it holds the locators of changes that were not taken.
 *
 * @param views Effective policies of the topology. Default: none.
 * @returns The follower. Its first `take` is without `stale`: compute everything.
 */
export function createFollower(topology: Topology, views: readonly Followed[] = []): Follower {
  return Follower.make(topology, views);
}

type Followed = { readonly changes: () => EffectiveChanges };
