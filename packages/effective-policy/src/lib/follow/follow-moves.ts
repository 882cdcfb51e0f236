import { byEstablished, type PolicyKind } from '@policy-machinery/policy-kind';
import { type ChangeRecord, type TargetNode, targetsAboveChanged } from '@policy-machinery/topology';
import type { ViewState } from '../answers/view-state.ts';
import { hasPolicies, levelsOf, type Stack } from '../contexts/stack.ts';
import type { Level } from '../levels/level.ts';
import { isSameLevel } from '../levels/same-level.ts';
import { isEqualList, isSameList } from '../support/same.ts';
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
  const before = new Map<TargetNode, readonly Stack<Spec>[]>();
  // Stacks found for the sections of an object count for all of its sections, so for new ones, too.
  for (const target of below) before.set(target, (came.has(target) ? undefined : contexts.found(target)) ?? []);
  const unknown = [...below].filter((it) => contexts.isWanted(it) && !contexts.isFound(it) && !came.has(it));
  for (const target of below) contexts.forget(target); // The stacks of sections may be kept with their objects.

  const targets = new Set(unknown);
  const policies = new Set<string>();
  const lookedAt = new Map<TargetNode, readonly Stack<Spec>[]>();
  for (const [target, stacks] of before) {
    for (const locator of state.policiesNaming(target)) policies.add(locator);
    if (!contexts.isWanted(target)) continue;
    const now = topology.get(target) === target ? contexts.of(target) : [];
    if (!areSameContexts(state, edited, stacks, now)) targets.add(target);
    lookedAt.set(target, stacks);
  }
  // What sets a field below decides which policies count above.
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

function objectsOf(...all: readonly Iterable<TargetNode>[]): Set<TargetNode> {
  const objects = new Set<TargetNode>();
  for (const targets of all) for (const { object } of targets) objects.add(object);
  return objects;
}

/** Returns whether two lists have the same contexts, and those with policies in the same order. */
function areSameContexts<Spec>(
  state: ViewState<Spec>,
  edited: EditedStacks<Spec>,
  before: readonly Stack<Spec>[],
  now: readonly Stack<Spec>[],
): boolean {
  if (edited.stacks.size === 0 && isSameList(before, now)) return true;
  if (before.length !== now.length) return false;
  const { held } = state.contexts.graph;
  const reached = (stacks: readonly Stack<Spec>[]) => stacks.map((stack) => held.of(stack)).filter(hasPolicies);
  return isEqualList(reached(before), reached(now), (a, b) =>
    a === b ? !edited.stacks.has(b) : areMadeOfSame(edited.before(a).levels, levelsOf(b), state.kind),
  );
}

/** Returns whether targets or links were added or removed. */
export function hasOtherLinks(records: readonly ChangeRecord[]): boolean {
  return records.some(({ came, entered, gone }) => came.length + entered.size + gone.size > 0);
}

/** Returns whether two lists of levels have the same policies, and resources with the same effect on merging. */
function areMadeOfSame<Spec>(
  before: readonly Level<Spec>[],
  now: readonly Level<Spec>[],
  { strategyChooser }: PolicyKind<Spec>,
): boolean {
  const isAsked = strategyChooser !== byEstablished;
  return isEqualList(before, now, (a, b) => a === b || (a.target === b.target && isSameLevel(a, b, isAsked)));
}
