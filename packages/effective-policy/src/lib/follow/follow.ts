/*
 * follow/ takes changes of the topology and brings all other folders' results up to date. If policies were only edited, contexts stay; if
 * something has moved, the contexts below are found again. It returns the targets, policies and objects with answers that may differ.
 */
import { byChallenger, byEstablished } from '@policy-machinery/policy-kind';
import { type ChangeRecord, type TargetNode, targetsRerouted } from '@policy-machinery/topology';
import type { ViewState } from '../answers/view-state.ts';
import { namesParents } from '../contexts/named-ancestors.ts';
import type { ChangedLevels } from '../levels/levels.ts';
import { EditedStacks } from './edited-stacks.ts';
import { followEdits } from './follow-edits.ts';
import { followMoves, hasOtherLinks } from './follow-moves.ts';
import type { Followed } from './followed.ts';

/** The effects of changes on a view, beyond those on its topology. */
export interface OwnChanges<Spec> {
  readonly levels: ChangedLevels<Spec>;
  /** Whether own values of targets have changed. */
  readonly hasOtherValues: boolean;
  /** The objects that paths count through, and did not before, or the other way round. */
  readonly otherPaths: readonly TargetNode[];
}

/**
 * Makes the contexts of a view follow changes. A target that may name its parents differently counts as changed, with all targets below.
 * O(changed targets, and targets and links below them).
 */
export function follow<Spec>(
  state: ViewState<Spec>,
  records: readonly ChangeRecord[],
  { levels, hasOtherValues, otherPaths }: OwnChanges<Spec>,
): Followed<Spec> {
  const { topology, kind, contexts } = state;
  contexts.positions.forgetKinds();
  const namesSections = kind.ancestorEntries.naming === 'sections';
  const renamed = namesSections ? records.flatMap(({ edited }) => [...edited].filter(namesParents)) : [];
  const below = targetsRerouted(topology, records, [...levels.targets, ...renamed, ...otherPaths]);
  const isAsked = ![byEstablished, byChallenger].includes(kind.strategyChooser);
  const edited = new EditedStacks(contexts.positions, state.hierarchies, levels.edited, isAsked);
  const isMoved =
    renamed.length + otherPaths.length > 0 ||
    hasOtherValues ||
    levels.moved.size > 0 ||
    hasOtherLinks(records) ||
    !edited.areWithinSameLimits;
  const moves = { levels: new Set([...levels.targets, ...otherPaths]), below, edited };
  const followed = isMoved ? followMoves(state, records, moves) : followEdits(state, moves);
  const { objects } = followed;
  for (const { containers } of objects) for (const container of containers) objects.add(container);
  for (const { came, changed, gone } of records) {
    for (const some of [came, changed, gone]) for (const { object } of some) objects.add(object);
  }
  return { ...followed, edited, isMoved };
}
