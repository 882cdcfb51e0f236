import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { type ChangeRecord, type TargetNode, type Topology, targetsRerouted } from '@policy-machinery/topology';

/** Follows what changes in a topology and its effective policies. */
export interface Follower {
  /** Returns what has changed since the last call; `undefined` if so much has that everything may be different. */
  readonly take: () => Dirty | undefined;
}

/** What to collect again. */
export interface Dirty {
  /** Locators of targets that are gone. */
  readonly gone: ReadonlySet<string>;
  /** Targets whose own rows may differ: new ones, and those with another resource, other sections or links. */
  readonly targets: ReadonlySet<TargetNode>;
  /** Targets to which other paths may lead than before. */
  readonly moved: ReadonlySet<TargetNode>;
  /** By view: targets with other effective policies than before. */
  readonly affected: readonly ReadonlySet<TargetNode>[];
  /** Locators of policies that may be different, or have another outcome. */
  readonly policies: ReadonlySet<string>;
}

/**
 * Creates a follower of a topology and of effective policies, which hold what it has not taken for as long as they live.
 *
 * @param topology The topology.
 * @param views Effective policies of that topology.
 */
export function follow(topology: Topology, views: readonly EffectivePolicies<unknown>[]): Follower {
  const readers = views.map((view) => view.changes());
  let { version } = topology;
  return {
    take: () => {
      const records = topology.changesSince(version);
      version = topology.version;
      const changes = readers.map((reader) => reader.take());
      if (records === undefined) return undefined;
      const affected = changes.map(({ targets }) => new Set(targets.flatMap((it) => topology.get(it) ?? [])));
      const policies = new Set(changes.flatMap((change) => change.policies));
      for (const record of records) {
        for (const locator of record.policies.keys()) policies.add(locator);
        for (const locator of record.reported) if (topology.policy(locator) !== undefined) policies.add(locator);
      }
      return { ...changedTargets(topology, records), affected, policies };
    },
  };
}

function changedTargets(
  topology: Topology,
  records: readonly ChangeRecord[],
): Pick<Dirty, 'gone' | 'targets' | 'moved'> {
  const gone = new Set<string>();
  const targets = new Set<TargetNode>();
  for (const record of records) {
    for (const { locator } of record.gone) if (topology.get(locator) === undefined) gone.add(locator);
    for (const { locator } of [...record.came, ...record.entered, ...record.changed]) {
      const target = topology.get(locator);
      if (target !== undefined) targets.add(target).add(target.object);
    }
  }
  const moved = [...targetsRerouted(topology, records)].filter((target) => topology.get(target) === target);
  return { gone, targets, moved: new Set(moved) };
}
