import type { SliceOptions, TopologyDelta } from '../model/topology-change.ts';
import type { ResourceChange } from './change-in-progress.ts';
import type { CheckedChange } from './check-change.ts';
import { leavesFieldsUnread } from './field-issues.ts';
import type { TopologyStore } from './topology-store.ts';

/**
 * Applies a checked change in slices, each as a separate change. Upserts are applied in the order of their kinds' ranks, removals in the
 * opposite order. Resources that another change has touched after the check of this one keep the newer state.
 *
 * @param options The size of a slice.
 * @param needed Returns the resources of a slice that are applied. Default: all.
 * @returns A generator of the effects of each slice. There is at least one slice.
 */
export function takeInSlices(
  store: TopologyStore,
  checked: CheckedChange,
  { size = 500 }: SliceOptions = {},
  needed: (resources: CheckedChange['resources']) => CheckedChange['resources'] = (resources) => resources,
): Generator<TopologyDelta, void, void> {
  const pending = new Map(inLoadOrder(checked.resources.values()));
  store.expect(pending);
  const { state } = store;
  if (leavesFieldsUnread(state, checked)) state.areFieldsUnread = true; // As for one change of all resources.
  return (function* () {
    let rest = checked;
    do {
      const slice = firstOf(pending, size);
      for (const locator of slice.keys()) pending.delete(locator);
      yield store.take({ ...rest, resources: needed(slice) }, pending);
      rest = { ...checked, ignored: [], removed: [], strangers: [] };
    } while (pending.size > 0);
  })();
}

function firstOf(changes: ReadonlyMap<string, ResourceChange>, size: number): ReadonlyMap<string, ResourceChange> {
  const first = new Map<string, ResourceChange>();
  for (const [locator, change] of changes) {
    if (first.size >= size) break;
    first.set(locator, change);
  }
  return first;
}

function inLoadOrder(changes: Iterable<ResourceChange>): readonly (readonly [string, ResourceChange])[] {
  const sorted = [...changes].sort((a, b) => rankOf(a) - rankOf(b));
  return sorted.map((change) => [change.locator, change]);
}

/** Returns the place of a change in the order: by kind, then removals by kind, the last kind first. */
function rankOf({ kind: { rank }, current }: ResourceChange): number {
  return current === undefined ? Number.MAX_SAFE_INTEGER - rank : rank;
}
