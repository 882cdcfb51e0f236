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
  const came = locatorsOf(inOrder(world, record.came));
  const gone = locatorsOf(record.gone);
  const added: string[] = [];
  const removed: string[] = [];
  const changed: string[] = [];
  for (const locator of new Set([...came, ...gone, ...locatorsOf(record.changed), ...record.policies.keys()])) {
    const policy = record.policies.get(locator);
    const wasPolicy = policy === undefined ? world.policies.has(locator) : policy.was !== undefined;
    const isThere = world.targets.has(locator) || world.policies.has(locator);
    const wasThere = wasPolicy || gone.has(locator) || (world.targets.has(locator) && !came.has(locator));
    if (wasThere !== isThere) (isThere ? added : removed).push(locator);
    else if (isThere) changed.push(locator);
  }
  return { added: added.sort(), removed: removed.sort(), changed: changed.sort(), ignored };
}

/** Where most targets are new they are gone through kind by kind: what is in order nearly is sorted in no time. */
function* inOrder({ targets, objects }: World, came: ReadonlySet<Target>): Iterable<Target> {
  if (came.size < targets.size / 2) {
    yield* came;
    return;
  }
  for (const object of objects.of()) {
    for (const target of [object, ...object.sections]) if (came.has(target)) yield target;
  }
}

function locatorsOf(targets: Iterable<{ readonly locator: string }>): ReadonlySet<string> {
  const locators = new Set<string>();
  for (const { locator } of targets) locators.add(locator);
  return locators;
}
