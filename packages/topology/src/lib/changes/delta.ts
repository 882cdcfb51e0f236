import type { TopologyDelta } from '../model/topology-change.ts';
import type { Target } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import type { TopologyState } from './topology-state.ts';

/** Above this number of new targets, a delta formats their locators on demand: after a load they are seldom read. */
const mostListed = 1000;

/** Returns the effects of a change as locators. O(changes). */
export function deltaOf(state: TopologyState, change: ChangeInProgress, ignored: readonly string[]): TopologyDelta {
  const { policies, kinds } = state;
  const { came } = change;
  const newPolicies: string[] = [];
  const removed: string[] = [];
  const changed: string[] = [];
  const wasPolicy = (locator: string): boolean => {
    const policy = change.policies.get(locator);
    return policy === undefined ? policies.has(locator) : policy.was !== undefined;
  };
  const removals = locatorsOf(change.gone);
  const renamed = new Set<Target>();
  for (const target of kinds.areBoth || removals.size > 0 ? came : []) {
    if (removals.has(target.locator) || (target.section === undefined && wasPolicy(target.locator)))
      renamed.add(target);
  }
  for (const { locator } of renamed) changed.push(locator);
  const others = new Set([...removals, ...change.policies.keys()]);
  for (const target of change.changed) {
    const { locator } = target; // If a target or policy of this name was also removed or changed, it is handled below.
    if (!change.isNew(target) && !others.has(locator)) changed.push(locator);
  }
  for (const locator of others) {
    const target = state.target(locator);
    if (target !== undefined && change.isNew(target)) continue;
    const wasThere = target !== undefined || removals.has(locator) || wasPolicy(locator);
    const isThere = target !== undefined || policies.has(locator);
    if (wasThere !== isThere) (isThere ? newPolicies : removed).push(locator);
    else if (isThere) changed.push(locator);
  }
  let added: readonly string[] | undefined;
  const delta: TopologyDelta = {
    get added() {
      added ??= [...newPolicies, ...locatorsOf(came.filter((target) => !renamed.has(target)))].sort();
      return added;
    },
    removed: removed.sort(),
    changed: changed.sort(),
    ignored,
  };
  return came.length > mostListed ? delta : { ...delta };
}

function locatorsOf(targets: Iterable<{ readonly locator: string }>): ReadonlySet<string> {
  const locators = new Set<string>();
  for (const { locator } of targets) locators.add(locator);
  return locators;
}
