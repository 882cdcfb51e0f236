import { groupKindKey, type Issue } from '@policy-machinery/resource';
import { isSameDangling, type RefusedReference, type UnresolvedReference } from '../model/dangling-references.ts';
import { unreadable } from '../model/read-safely.ts';
import type { Relay } from '../model/reference.ts';
import type { EndRefusal } from '../model/resolved-reference.ts';
import { refusalIssue } from '../references/refusal-issue.ts';
import type { Relaying, Relays } from '../references/relays.ts';
import { emptySet } from '../support/nothing.ts';
import type { Target, WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import { renewLinksBetween } from './renew-links-between.ts';
import type { TopologyState } from './topology-state.ts';

/**
 * Decides the relaying references of all targets that a change touches, and of all targets below, from the top down: each receives the values
 * from those above. There are no cycles at this point.
 */
export function renewRelays(state: TopologyState, change: ChangeInProgress): void {
  if (state.relays.size === 0) return;
  for (const holder of fromTheTop(state, affectedBy(state, change))) decide(state, holder, change);
}

/** Returns the holders of relaying references that may receive different values. */
function affectedBy(state: TopologyState, change: ChangeInProgress): ReadonlySet<Target> {
  const affected = new Set<Target>();
  for (const holder of change.relaying) if (state.relays.has(holder)) affected.add(holder);
  for (const { object } of change.touched()) for (const holder of relayingIn(state, object)) affected.add(holder);
  for (const holder of affected) for (const below of holdersBelow(state, holder)) affected.add(below);
  return affected;
}

/** Returns the holders at the ends of another holder's references. */
function* holdersBelow(state: TopologyState, holder: Target): Iterable<Target> {
  for (const relaying of state.relays.get(holder)?.relaying ?? []) {
    for (const end of endsOf(relaying, state, holder)) yield* relayingIn(state, end.object);
  }
}

/** Returns the ends of a reference without dropped links. */
function endsOf({ ends }: Relaying, { cycles }: TopologyState, holder: Target): readonly Target[] {
  const dropped = cycles.dropped.get(holder);
  return dropped === undefined || dropped.size === 0 ? ends : ends.filter((end) => !dropped.has(end));
}

/** Returns holders in an order in which each comes after those above. */
function fromTheTop(state: TopologyState, holders: ReadonlySet<Target>): readonly Target[] {
  const waitsFor = new Map([...holders].map((holder) => [holder, 0]));
  for (const holder of holders) {
    for (const below of holdersBelow(state, holder)) waitsFor.set(below, (waitsFor.get(below) ?? 0) + 1);
  }
  const ready = [...holders].filter((holder) => waitsFor.get(holder) === 0);
  for (const holder of ready) {
    for (const below of holdersBelow(state, holder)) {
      const left = (waitsFor.get(below) ?? 0) - 1;
      waitsFor.set(below, left);
      if (left === 0) ready.push(below); // The loop visits added holders, too.
    }
  }
  return ready;
}

function decide(state: TopologyState, holder: Target, change: ChangeInProgress): void {
  const relays = state.relays.get(holder) as Relays;
  const decisions: Decision[] = [];
  let issues: readonly Issue[];
  try {
    const arriving = arrivingAt(state, holder);
    for (const relaying of relays.relaying) {
      const ends = endsOf(relaying, state, holder);
      decisions.push(decided(relaying, ends, relaying.reference.relay(arriving)));
    }
    issues = decisions.flatMap(({ relaying: { reference }, open, refusals }) =>
      open.size === 0 && refusals.length > 0 ? [refusalIssue(holder, reference, refusals)] : [],
    );
  } catch (error) {
    decisions.length = 0;
    for (const relaying of relays.relaying) relaying.open = emptySet;
    issues = [unreadable(holder.locator, error)];
  }
  const open = new Set<Target>();
  for (const decision of decisions) for (const end of decision.open) open.add(end);
  const ends = relays.relaying.flatMap((relaying) => endsOf(relaying, state, holder));
  close(state, holder, new Set(ends.filter((end) => !open.has(end))), change);
  const dangling = danglingOf(holder, decisions);
  if (!isSameDangling(relays.dangling, dangling)) change.restate(holder);
  relays.dangling = dangling;
  change.report(state.issues.set('relays', holder, issues));
}

/** Returns the values handed on to a holder by references to its object. */
function arrivingAt({ relays }: TopologyState, { object }: Target): readonly unknown[] {
  const arriving: unknown[] = [];
  for (const above of object.linksFrom) {
    for (const { open, value } of relays.get(above)?.relaying ?? []) if (open.has(object)) arriving.push(value);
  }
  return arriving;
}

/** The decision of one reference. */
interface Decision {
  readonly relaying: Relaying;
  readonly open: ReadonlySet<Target>;
  readonly refusals: readonly EndRefusal[];
  readonly absent: readonly Target[];
}

function decided(relaying: Relaying, ends: readonly Target[], { value, admits }: Relay): Decision {
  const decision = { relaying, open: new Set<Target>(), refusals: [] as EndRefusal[], absent: [] as Target[] };
  relaying.value = value;
  relaying.open = decision.open;
  for (const end of ends) {
    const { resource, section } = end;
    const refusal = admits(section === undefined ? { resource } : { resource, section });
    if (refusal === undefined) decision.open.add(end);
    else if (refusal === 'absent') decision.absent.push(end);
    else decision.refusals.push({ to: end.locator, ...refusal });
  }
  return decision;
}

/** Closes the links that do not stay, and opens the others. */
function close(state: TopologyState, holder: Target, ends: ReadonlySet<Target>, change: ChangeInProgress): void {
  const before = state.closed.get(holder) ?? emptySet;
  if (ends.size > 0) state.closed.set(holder, ends);
  else state.closed.delete(holder);
  for (const end of before) if (!ends.has(end)) renewLinksBetween(state, holder, end, change);
  for (const end of ends) if (!before.has(end)) renewLinksBetween(state, holder, end, change);
}

function danglingOf(from: Target, decisions: readonly Decision[]): Relays['dangling'] {
  const unresolved: UnresolvedReference[] = [];
  const refused: RefusedReference[] = [];
  for (const { relaying, open, refusals, absent } of decisions) {
    const { reference } = relaying;
    const [first] = absent;
    for (const refusal of refusals) refused.push({ from, reference, ...refusal });
    if (first === undefined || open.size > 0 || refusals.length > 0) continue;
    const missing = 'name' in reference.to ? first.object.locator : `${groupKindKey(reference.to)}:?`;
    unresolved.push({ from, reference, missing });
  }
  return unresolved.length + refused.length === 0 ? undefined : { unresolved, refused };
}

/** Returns the targets of an object with relaying references. */
function* relayingIn({ relays }: Pick<TopologyState, 'relays'>, object: WholeTarget): Iterable<Target> {
  for (const target of [object, ...object.sections]) if (relays.has(target)) yield target;
}
