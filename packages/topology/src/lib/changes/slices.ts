import type { SliceOptions, TopologyDelta } from '../model/topology-change.ts';
import type { ResourceChange } from './change-in-progress.ts';
import type { CheckedChange } from './check-change.ts';
import { leavesFieldsUnread } from './field-issues.ts';
import type { TopologyStore } from './topology-store.ts';

/**
 * Applies a checked change in slices, each of which is a change of its own. What is upserted comes in the order of its kinds' ranks, and what
 * is removed goes in the opposite order. What another change has touched since this one was checked stays as that has left it.
 *
 * @param options The size of a slice.
 * @param needed Returns which of the resources of a slice are applied. Default: all.
 * @returns A generator of what each slice has changed. There is at least one.
 */
export function* takeInSlices(
  store: TopologyStore,
  checked: CheckedChange,
  { size = 500 }: SliceOptions = {},
  needed: (resources: Changes) => Changes = (resources) => resources,
): Generator<TopologyDelta, void, void> {
  const all = inLoadOrder(checked.resources.values());
  const { state } = store;
  if (leavesFieldsUnread(state, checked)) state.areFieldsUnread = true; // As if they came at once.
  const { upserted, ...once } = checked;
  let rest: Omit<CheckedChange, 'upserted'> = once;
  for (let at = 0; at === 0 || at < all.length; at += size) {
    const { given } = store.state;
    const untouched = all.slice(at, at + size).filter(({ locator, was }) => given.get(locator) === was);
    const resources = needed(new Map(untouched.map((change) => [change.locator, change])));
    yield store.take({ ...rest, resources, upserted });
    rest = nothing;
  }
}

type Changes = CheckedChange['resources'];

const nothing: Omit<CheckedChange, 'upserted'> = { resources: new Map(), ignored: [], removed: [], strangers: [] };

function inLoadOrder(changes: Iterable<ResourceChange>): readonly ResourceChange[] {
  return [...changes].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Where a change is in the order: that of its kind, and beyond those for what is removed, the last kind first. */
function rankOf({ known: { rank }, now }: ResourceChange): number {
  return now === undefined ? Number.MAX_SAFE_INTEGER - rank : rank;
}
