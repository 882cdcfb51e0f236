import { groupKindKey, type Issue } from '@policy-machinery/resource';
import { readSafely } from '../model/read-safely.ts';
import { topologicalOrder } from '../paths/order.ts';
import type { Relaying } from '../references/relays.ts';
import { admissionOf, type Resolution, resolved } from '../references/resolve.ts';
import { closureOf } from '../support/closure.ts';
import { emptySet, none } from '../support/nothing.ts';
import type { Target, WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import { setDangling } from './renew-links.ts';
import { renewLinksBetween } from './renew-links-between.ts';
import type { TopologyState } from './topology-state.ts';

/**
 * Decides the relaying references of all targets that a change touches, and of all targets below, from the top down: each receives the values
 * from those above. At this point, all cycles are broken.
 */
export function renewRelays(change: ChangeInProgress): void {
  const { state } = change;
  if (state.relays.size === 0) return;
  const affected = [...affectedBy(change)];
  for (const holder of topologicalOrder(affected, (above) => holdersBelow(state, above))) decide(change, holder);
}

/** Returns the holders of relaying references that may receive different values. */
function affectedBy(change: ChangeInProgress): ReadonlySet<Target> {
  const { state } = change;
  const touched = new Set<Target>();
  for (const holder of change.relaying) if (state.relays.has(holder)) touched.add(holder);
  for (const { object } of change.touched()) for (const holder of relayingIn(state, object)) touched.add(holder);
  return closureOf(touched, (holder) => holdersBelow(state, holder));
}

/** Returns the holders at the ends of another holder's references. */
function* holdersBelow(state: TopologyState, holder: Target): Iterable<Target> {
  for (const relaying of state.relays.get(holder) ?? none) {
    for (const end of endsOf(relaying, state, holder)) yield* relayingIn(state, end.object);
  }
}

/** Returns the ends of a reference without dropped links. */
function endsOf({ ends }: Relaying, { cycles }: TopologyState, holder: Target): readonly Target[] {
  const dropped = cycles.dropped.get(holder);
  return dropped === undefined || dropped.size === 0 ? ends : ends.filter((end) => !dropped.has(end));
}

function decide(change: ChangeInProgress, holder: Target): void {
  const { state } = change;
  const relaying = state.relays.get(holder) ?? none;
  const issues: Issue[] = [];
  const decisions = readSafely(holder.locator, issues, () => {
    const arriving = arrivingAt(state, holder);
    return relaying.map((it) => decided(it, endsOf(it, state, holder), arriving, state));
  });
  if (decisions.length === 0) for (const relay of relaying) relay.open = emptySet; // They cannot be read.
  const open = new Set(decisions.flatMap(({ ends }) => ends));
  const ends = relaying.flatMap((it) => endsOf(it, state, holder));
  close(change, holder, new Set(ends.filter((end) => !open.has(end))));
  setDangling(change, 'relays', holder, decisions, issues);
}

/** Returns the values handed on to a holder by references to its object. */
function arrivingAt({ relays }: TopologyState, { object }: Target): readonly unknown[] {
  const arriving: unknown[] = [];
  for (const above of object.linksFrom) {
    for (const { open, value } of relays.get(above) ?? none) if (open.has(object)) arriving.push(value);
  }
  return arriving;
}

/** Decides one reference: its ends are the ends of the links that stay. */
function decided(
  relaying: Relaying,
  ends: readonly Target[],
  arriving: readonly unknown[],
  { lookup }: TopologyState,
): Resolution {
  const { reference, relay } = relaying;
  const { value, admits } = relay(arriving);
  const { ends: open, refusals, isAbsent } = admissionOf(ends, admits, lookup);
  relaying.value = value;
  relaying.open = new Set(open);
  const isMissing = isAbsent && open.length + refusals.length === 0;
  const locator = ('name' in reference.to ? ends[0]?.object.locator : undefined) ?? `${groupKindKey(reference.to)}:?`;
  return resolved(reference, { ends: open, refusals, isAbsent: isMissing }, { locator, mayExist: false });
}

/** Closes the links that do not stay, and opens the others. */
function close(change: ChangeInProgress, holder: Target, ends: ReadonlySet<Target>): void {
  const { closed } = change.state;
  const closedBefore = closed.get(holder) ?? emptySet;
  if (ends.size > 0) closed.set(holder, ends);
  else closed.delete(holder);
  for (const end of closedBefore) if (!ends.has(end)) renewLinksBetween(change, holder, end);
  for (const end of ends) if (!closedBefore.has(end)) renewLinksBetween(change, holder, end);
}

/** Returns the targets of an object with relaying references. */
function* relayingIn({ relays }: Pick<TopologyState, 'relays'>, object: WholeTarget): Iterable<Target> {
  for (const target of [object, ...object.sections]) if (relays.has(target)) yield target;
}
