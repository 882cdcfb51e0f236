import type { ChangeRecord } from './change-record.ts';
import type { Target } from './target.ts';
import type { World } from './world.ts';

/** What a change did to a topology. All are locators, sorted. */
export interface TopologyDelta {
  /** Targets and policies that are new. */
  readonly added: readonly string[];
  /** Targets and policies that are gone. */
  readonly removed: readonly string[];
  /** Targets and policies whose resource, links, namespace or attachments have changed. */
  readonly changed: readonly string[];
  /** Resources of the change whose kind this topology does not know. */
  readonly ignored: readonly string[];
}

/** Sums up a change. O(what has changed). */
export function deltaOf(world: World, record: ChangeRecord, ignored: readonly string[]): TopologyDelta {
  const { targets, policies } = world;
  const added: string[] = [];
  const removed: string[] = [];
  const changed: string[] = [];
  const wasPolicy = (locator: string): boolean => {
    const policy = record.policies.get(locator);
    return policy === undefined ? policies.has(locator) : policy.was !== undefined;
  };
  for (const { locator, section } of inOrder(world, record)) {
    if (section === undefined && wasPolicy(locator)) changed.push(locator);
    else added.push(locator);
  }
  const gone = locatorsOf(record.gone);
  for (const locator of new Set([...gone, ...locatorsOf(record.changed), ...record.policies.keys()])) {
    const target = targets.get(locator);
    if (target !== undefined && record.isNew(target)) continue;
    const wasThere = target !== undefined || gone.has(locator) || wasPolicy(locator);
    const isThere = target !== undefined || policies.has(locator);
    if (wasThere !== isThere) (isThere ? added : removed).push(locator);
    else if (isThere) changed.push(locator);
  }
  return { added: added.sort(), removed: removed.sort(), changed: changed.sort(), ignored };
}

/** The new targets. Where most are new they are gone through kind by kind: what is in order nearly is sorted in no time. */
function inOrder({ targets, objects }: World, record: ChangeRecord): readonly Target[] {
  if (record.came.length < targets.size / 2) return record.came;
  const ordered: Target[] = [];
  for (const object of objects.of()) {
    if (record.isNew(object)) ordered.push(object);
    for (const section of object.sections) if (record.isNew(section)) ordered.push(section);
  }
  return ordered;
}

function locatorsOf(targets: Iterable<{ readonly locator: string }>): ReadonlySet<string> {
  const locators = new Set<string>();
  for (const { locator } of targets) locators.add(locator);
  return locators;
}
