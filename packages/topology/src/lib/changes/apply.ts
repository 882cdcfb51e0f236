// changes/: takes added, changed and removed resources, and renews the state of a topology step by step: resources, targets, links, rivals,
// cycles, relays, policies. A target or policy is stale if an answer that it depends on has changed.

import { isLinked } from '../targets/links.ts';
import { ChangeInProgress, inverseOf, type ResourceChange } from './change-in-progress.ts';
import { renewCycles } from './renew-cycles.ts';
import { renewLinks } from './renew-links.ts';
import { renewPolicies } from './renew-policies.ts';
import { renewRelays } from './renew-relays.ts';
import { renewResources } from './renew-resources.ts';
import { renewRivals } from './renew-rivals.ts';
import { renewTargets } from './renew-targets.ts';
import type { TopologyState } from './topology-state.ts';

/**
 * Renews what depends on a change, and nothing else. The result is the same as if all resources were applied at once.
 *
 * @param given The changed resources, by locator.
 * @param unsettled What an earlier change has left undecided: links that may be part of cycles, and relaying references.
 * @returns The effects of the change. O(what the change touches, and what depends on that).
 * @throws {PolicyMachineryError} `cycle` if links would form a cycle; the state is unchanged then.
 * @throws What functions of a kind throw, where that is not an issue of one resource. Then the resources are unchanged, and the rest of the state
 * has to be built again.
 */
export function apply(
  state: TopologyState,
  given: ReadonlyMap<string, ResourceChange>,
  unsettled?: Pick<ChangeInProgress, 'suspects' | 'relaying'>,
): ChangeInProgress {
  state.version += 1;
  const change = new ChangeInProgress(state.version, given);
  for (const link of unsettled?.suspects ?? []) change.suspects.push(link); // There may be many.
  for (const holder of unsettled?.relaying ?? []) change.relaying.add(holder);
  try {
    renewResources(state, change);
    renewTargets(state, change);
    renewLinks(state, change);
    renewRivals(state, change);
    withoutCycles(state, change);
    renewRelays(state, change);
    change.settleLinks(isLinked);
    renewPolicies(state, change);
  } catch (error) {
    takeBack(state, change);
    throw error;
  }
  keep(state, change);
  return change;
}

function withoutCycles(state: TopologyState, change: ChangeInProgress): void {
  try {
    renewCycles(state, change);
  } catch (error) {
    keep(state, change);
    apply(state, inverseOf(change.given.values()), change); // The result does not depend on the order of changes.
    throw error;
  }
}

/** Restores the resources from before a change. */
function takeBack({ given }: TopologyState, change: ChangeInProgress): void {
  for (const { locator, was } of change.given.values()) {
    if (was === undefined) given.delete(locator);
    else given.set(locator, was);
  }
}

function keep(state: TopologyState, change: ChangeInProgress): void {
  change.settleLinks(isLinked);
  state.log.add(change.finish(), state.size);
}
