import type { ChangeRecord, TargetNode } from '@policy-machinery/topology';
import type { Affected } from '../answers/affected.ts';
import type { ViewState } from '../answers/view-state.ts';
import type { Contexts, PlacedContext } from '../contexts/contexts.ts';
import type { Place, Spot } from '../contexts/place.ts';
import { policiesOf, type Stack } from '../contexts/stack.ts';
import { emptySet } from '../support/empty-set.ts';
import { isSameSet } from '../support/same.ts';

/** What was known of a target. */
export interface KnownBefore<Spec> {
  readonly places: readonly Place<Spec>[];
  readonly stacks: readonly Stack<Spec>[] | undefined;
}

/**
 * Works out again who sets something at or below targets above those that have been found again, as far as that was known, and only
 * while it makes a difference.
 *
 * @param before What was known of those that have been found again.
 * @returns The targets where it does.
 */
export function resettle<Spec>(
  state: ViewState<Spec>,
  records: readonly ChangeRecord[],
  before: ReadonlyMap<TargetNode, KnownBefore<Spec>>,
): ReadonlySet<TargetNode> {
  const { topology, contexts, affected } = state;
  const pending: Spot<Spec>[] = [];
  for (const { changed } of records) {
    for (const target of changed) {
      if (before.has(target) || topology.get(target) !== target || !contexts.places.leadsThere(target)) continue;
      for (const place of contexts.placesOf(target)) pending.push(...(place.spots ?? []));
    }
  }
  for (const [target, { places }] of before) {
    if (topology.get(target) !== target || !contexts.places.leadsThere(target)) continue;
    for (const now of contexts.placesOf(target)) {
      const old = places.find(({ entered }) => entered === now.entered);
      pending.push(...spotsAbove(contexts, affected, { old, now }, before));
    }
  }
  return resettleFrom(state, pending);
}

/**
 * The same after edits, where all that is known has stayed, but others set something in some contexts than before.
 *
 * @param unsettled These contexts.
 * @param below The targets that are reported as changed anyway.
 */
export function resettleEdited<Spec>(
  state: ViewState<Spec>,
  unsettled: Iterable<PlacedContext<Spec>>,
  beneath: ReadonlySet<TargetNode>,
): ReadonlySet<TargetNode> {
  const { contexts, affected } = state;
  const before = new Map<Spot<Spec>, Spot<Spec>['setters']>();
  for (const { target, stack } of unsettled) {
    for (const spot of contexts.spotsOf(target, stack)) before.set(spot, spot.setters);
  }
  const beyond: (readonly [beneath: Spot<Spec>, above: readonly Spot<Spec>[]])[] = [];
  const placesBefore = new Map<Place<Spec>, readonly Place<Spec>[]>(); // There are several spots at each place.
  for (const [spot] of before) {
    const from = placesBefore.get(spot.place) ?? contexts.places.before(spot.place);
    placesBefore.set(spot.place, from);
    const above = contexts.before(spot, from);
    for (const it of above) if (beneath.has(it.place.node)) before.set(it, it.setters); // The loop goes on to what is added.
    beyond.push([spot, above.filter(({ place }) => !beneath.has(place.node))]);
  }
  for (const spot of before.keys()) spot.setters = undefined;
  const pending = beyond.flatMap(([spot, above]) =>
    above.length === 0 || isSame(before.get(spot), affected.settersAt(spot)) ? [] : above,
  );
  return resettleFrom(state, pending);
}

/** Works out again who sets something at some spots, and further up while it makes a difference. */
function resettleFrom<Spec>({ contexts, affected }: ViewState<Spec>, pending: Spot<Spec>[]): ReadonlySet<TargetNode> {
  const different = new Set<TargetNode>();
  for (let spot = pending.pop(); spot !== undefined; spot = pending.pop()) {
    const { setters } = spot;
    spot.setters = undefined;
    if (isSame(setters, affected.settersAt(spot))) continue;
    different.add(spot.place.node);
    pending.push(...contexts.before(spot));
  }
  return different;
}

/** Whether the same policies set something as before. Not known if there was no question since the last change. */
function isSame<Spec>(before: Spot<Spec>['setters'], now: ReadonlySet<string>): boolean {
  return before !== undefined && isSameSet(before, now);
}

/** The spots above a place, beyond all that has changed, for which it makes a difference that the place has changed. */
function spotsAbove<Spec>(
  contexts: Contexts<Spec>,
  affected: Affected<Spec>,
  { old, now }: { readonly old: Place<Spec> | undefined; readonly now: Place<Spec> },
  before: ReadonlyMap<TargetNode, KnownBefore<Spec>>,
): readonly Spot<Spec>[] {
  const { places } = contexts;
  const { node, entered } = now;
  const passesObject = entered && node.section !== undefined && contexts.isWanted(node.object);
  return places.before(now).flatMap((above) => {
    if (before.has(above.node)) return [];
    return (above.spots ?? []).filter((spot) => {
      if (spot.stack.slot === undefined) return false;
      if (passesObject) return true;
      const [was, is] = [old, now].map((place) => place?.with(places.after(spot.stack, place.met)));
      const setters = is === undefined ? undefined : affected.settersAt(is);
      if (was !== undefined && was.setters === undefined) return true; // There was no question since the last change.
      if (isSameSet(was?.setters ?? emptySet, setters ?? emptySet)) return false;
      const met = policiesOf(spot.stack);
      return !isSameSet(among(was?.setters, met), among(setters, met));
    });
  });
}

function among(setters: ReadonlySet<string> | undefined, met: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...(setters ?? [])].filter((policy) => met.has(policy)));
}
