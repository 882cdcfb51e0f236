import { byEstablished, type PolicyKind } from '@policy-machinery/policy-kind';
import { type ChangeRecord, type TargetNode, targetsAboveChanged } from '@policy-machinery/topology';
import type { ViewState } from '../answers/view-state.ts';
import type { ArrivalsId } from '../contexts/arrivals.ts';
import type { StackId } from '../contexts/stacks.ts';
import type { Level } from '../levels/level.ts';
import { isSameLevel } from '../levels/same-level.ts';
import { isEqualList } from '../support/same.ts';
import type { EditedStacks } from './edited-stacks.ts';
import type { FollowedTargets, Moves } from './followed.ts';

/** Forgets the contexts that may have changed, and finds them again. */
export function followMoves<Spec>(
  state: ViewState<Spec>,
  records: readonly ChangeRecord[],
  { levels, below, edited }: Moves<Spec>,
): FollowedTargets<Spec> {
  const { topology, contexts } = state;
  const came = new Set<TargetNode>(records.flatMap((record) => record.came));
  const nothing = contexts.positions.arrivals.none;
  const contextsBefore = new Map(Array.from(below, (target) => [target, contexts.found(target)] as const));
  const unknown = [...contextsBefore].flatMap(([target, list]) =>
    list === undefined && contexts.isWanted(target) && !came.has(target) ? target : [],
  );
  for (const target of below) contexts.forget(target);

  const targets = new Set(unknown);
  const policies = new Set<string>();
  const lookedAt = new Map<TargetNode, ArrivalsId>();
  for (const [target, list = nothing] of contextsBefore) {
    for (const locator of state.policiesNaming(target)) policies.add(locator);
    if (!contexts.isWanted(target)) continue;
    const currentList = topology.get(target) === target ? contexts.of(target) : nothing;
    if (!areSameContexts(state, edited, list, currentList)) targets.add(target);
    lookedAt.set(target, list);
  }
  // The policies that set a field below decide which policies count above.
  const above = targetsAboveChanged(topology, [...levels, ...changedBelow(state, records)]);
  if (unknown.length > 0) {
    // Contexts that were not known cannot be compared.
    for (const target of above) for (const locator of state.policiesNaming(target)) policies.add(locator);
  }
  return { targets, policies, lookedAt, objects: objectsOf(below, above) };
}

/** Returns the targets with different links to below, sections or own values. */
function* changedBelow<Spec>({ kind }: ViewState<Spec>, records: readonly ChangeRecord[]): Iterable<TargetNode> {
  for (const { came, exited, gone, changed } of records) {
    yield* came;
    yield* exited;
    for (const { object } of gone) yield object;
    if (kind.ownValue !== undefined) yield* changed;
  }
}

function objectsOf(...targetLists: readonly Iterable<TargetNode>[]): Set<TargetNode> {
  const objects = new Set<TargetNode>();
  for (const targets of targetLists) for (const { object } of targets) objects.add(object);
  return objects;
}

/** Returns whether two lists have the same contexts, and those with policies in the same order. */
function areSameContexts<Spec>(
  state: ViewState<Spec>,
  edited: EditedStacks<Spec>,
  previousContexts: ArrivalsId,
  currentContexts: ArrivalsId,
): boolean {
  if (edited.stacks.size === 0 && previousContexts === currentContexts) return true;
  const { arrivals } = state.contexts.positions;
  if (arrivals.lengthOf(previousContexts) !== arrivals.lengthOf(currentContexts)) return false;
  const isSame = (a: StackId, b: StackId): boolean =>
    a === b ? !edited.stacks.has(b) : areMadeOfSame(edited.before(a).levels, arrivals.stacks.levelsOf(b), state.kind);
  return isEqualList(state.reachedWith(previousContexts), state.reachedWith(currentContexts), isSame);
}

/** Returns whether targets or links were added or removed. */
export function hasOtherLinks(records: readonly ChangeRecord[]): boolean {
  return records.some(({ came, entered, gone }) => came.length + entered.size + gone.size > 0);
}

/** Returns whether two lists of levels have the same policies, and resources with the same effect on merging. */
function areMadeOfSame<Spec>(
  oldLevels: readonly Level<Spec>[],
  newLevels: readonly Level<Spec>[],
  { strategyChooser }: PolicyKind<Spec>,
): boolean {
  const isAsked = strategyChooser !== byEstablished;
  return isEqualList(oldLevels, newLevels, (a, b) => a === b || (a.target === b.target && isSameLevel(a, b, isAsked)));
}
