// changes/: takes resources that come, change and go, and renews what follows from them in the state of a topology, step by step: resources,
// targets, links, cycles, relays, policies. A target or policy is stale when something that it has asked about has changed.

import { isLinked } from '../targets/links.ts';
import { ChangeInProgress, type ResourceChange } from './change-in-progress.ts';
import { renewCycles } from './renew-cycles.ts';
import { renewLinks } from './renew-links.ts';
import { renewPolicies } from './renew-policies.ts';
import { renewRelays } from './renew-relays.ts';
import { renewResources } from './renew-resources.ts';
import { renewTargets } from './renew-targets.ts';
import type { TopologyState } from './topology-state.ts';

/**
 * Renews all that follows from a change, and nothing else. The result is the same as if all resources had come at once.
 *
 * @param change By locator.
 * @param unsettled What an earlier change has left undecided: links that may be part of cycles, and relaying references.
 * @returns What the change came to. O(what it touches, and what depends on that).
 * @throws {PolicyMachineryError} `cycle`, when links would lead back to where they came from; then all is as it was.
 * @throws Whatever a kind's functions throw where nothing catches it; then the resources are as they were, and all else must be made
 * again.
 */
export function apply(
  state: TopologyState,
  change: ReadonlyMap<string, ResourceChange>,
  { suspects, relaying }: Pick<ChangeInProgress, 'suspects' | 'relaying'> = nothing,
): ChangeInProgress {
  state.version += 1;
  const record = new ChangeInProgress(state.version, change);
  record.suspects = [...suspects];
  for (const holder of relaying) record.relaying.add(holder);
  try {
    renewResources(state, record);
    renewTargets(state, record);
    renewLinks(state, record);
    withoutCycles(state, record);
    renewRelays(state, record);
    record.settleLinks(isLinked);
    renewPolicies(state, record);
  } catch (error) {
    takeBack(state, record);
    throw error;
  }
  keep(state, record);
  return record;
}

const nothing = { suspects: [], relaying: new Set<never>() };

function withoutCycles(state: TopologyState, record: ChangeInProgress): void {
  try {
    renewCycles(state, record);
  } catch (error) {
    const inverse = inverseOf(record);
    keep(state, record);
    apply(state, inverse, record); // What results does not depend on the way there.
    throw error;
  }
}

/** Takes back what was given; nothing where that has been done. */
function takeBack({ given }: TopologyState, record: ChangeInProgress): void {
  for (const { locator, was } of record.given.values()) {
    if (was === undefined) given.delete(locator);
    else given.set(locator, was);
  }
}

function keep(state: TopologyState, record: ChangeInProgress): void {
  record.settleLinks(isLinked);
  state.log.add(record.finish(), state.size);
}

function inverseOf({ given }: ChangeInProgress): Map<string, ResourceChange> {
  const inverse = new Map<string, ResourceChange>();
  for (const { locator, known, was, now } of given.values()) {
    inverse.set(locator, { locator, known, was: now, now: was });
  }
  return inverse;
}
