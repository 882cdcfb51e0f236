// changes/: takes added, changed and removed resources, and renews the state of a topology step by step: resources, targets, links, rivals,
// cycles, relays, policies. A target or policy is stale if an answer that it depends on has changed.

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
 * Renews the state that depends on a change, and nothing else. The result is the same as if all resources were applied at once.
 *
 * @param given The changed resources, by locator.
 * @param unsettled The questions that an earlier change has left open: links that may be part of cycles, and relaying references.
 * @returns The effects of the change. O(affected targets, and their dependents).
 * @throws {PolicyMachineryError} `cycle` if links would form a cycle; the state is unchanged then.
 * @throws The errors of functions of a kind, unless they are issues of one resource. Then the resources are unchanged, and the rest of the state
 * has to be built again.
 */
export function apply(
  state: TopologyState,
  given: ReadonlyMap<string, ResourceChange>,
  unsettled?: Pick<ChangeInProgress, 'suspects' | 'relaying'>,
): ChangeInProgress {
  state.version += 1;
  const change = new ChangeInProgress(state, given);
  for (const link of unsettled?.suspects ?? []) change.suspects.push(link); // There may be many.
  for (const holder of unsettled?.relaying ?? []) change.relaying.add(holder);
  try {
    renewResources(change);
    renewTargets(change);
    renewLinks(change);
    renewRivals(change);
    withoutCycles(change);
    renewRelays(change);
    change.settleLinks();
    renewPolicies(change);
  } catch (error) {
    takeBack(change);
    throw error;
  }
  keep(change);
  return change;
}

function withoutCycles(change: ChangeInProgress): void {
  try {
    renewCycles(change);
  } catch (error) {
    keep(change);
    apply(change.state, inverseOf(change.given.values()), change); // The result does not depend on the order of changes.
    throw error;
  }
}

/** Restores the resources from before a change. */
function takeBack({ state, given }: ChangeInProgress): void {
  for (const { locator, previous } of given.values()) {
    if (previous === undefined) state.given.delete(locator);
    else state.given.set(locator, previous);
  }
}

function keep(change: ChangeInProgress): void {
  change.settleLinks();
  change.state.log.add(change.finish(), change.state.size);
}
