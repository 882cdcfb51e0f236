/*
 * follow/ takes what has changed in the topology and brings all of the above up to date. Where policies have only been edited, contexts stay;
 * where anything has moved, the contexts below are found again. It gives the targets, policies and objects of which something else may be true.
 */
import type { ChangeRecord, TargetNode } from '@policy-machinery/topology';
import type { ViewState } from '../answers/view-state.ts';
import { namesParents } from '../contexts/named-ancestors.ts';
import type { ChangedLevels } from '../levels/levels.ts';
import { belowChanges } from './below-changes.ts';
import { EditedStacks } from './edited-stacks.ts';
import { followEdits } from './follow-edits.ts';
import { followMoves, hasOtherLinks } from './follow-moves.ts';
import type { Followed } from './followed.ts';

/** What changes did to a view beside what its topology says. */
export interface OwnChanges<Spec> {
  readonly levels: ChangedLevels<Spec>;
  /** Whether targets say something else themselves. */
  readonly hasOtherValues: boolean;
  /** The objects that paths lead through otherwise than before. */
  readonly otherPaths: readonly TargetNode[];
}

/**
 * Makes the contexts of a view follow changes. What may name its parents otherwise than before counts as changed, with all below.
 * O(targets that have changed, and targets and links below them).
 */
export function follow<Spec>(
  state: ViewState<Spec>,
  records: readonly ChangeRecord[],
  { levels, hasOtherValues, otherPaths }: OwnChanges<Spec>,
): Followed<Spec> {
  const { topology, kind, contexts } = state;
  contexts.graph.forgetKinds();
  contexts.forgetSets();
  const namesSections = kind.ancestorEntries.naming === 'sections';
  const renamed = namesSections ? records.flatMap(({ edited }) => [...edited].filter(namesParents)) : [];
  const below = belowChanges(topology, records, [...levels.targets, ...renamed, ...otherPaths]);
  const edited = new EditedStacks(contexts, state.hierarchies, levels.edited);
  const isMoved =
    renamed.length + otherPaths.length > 0 ||
    hasOtherValues ||
    levels.moved.size > 0 ||
    hasOtherLinks(records) ||
    !edited.areWithinSameLimits(contexts);
  const followed = isMoved
    ? followMoves(state, records, { levels: new Set([...levels.targets, ...otherPaths]), below, edited })
    : followEdits(state, below, edited);
  const { objects } = followed;
  for (const { namespace } of objects) if (namespace !== undefined) objects.add(namespace);
  for (const { came, changed, gone } of records) {
    for (const some of [came, changed, gone]) for (const { object } of some) objects.add(object);
  }
  for (const slot of levels.gone) contexts.graph.held.forget(slot);
  for (const slot of levels.edited.keys()) contexts.graph.held.forgetFewer(slot);
  return { ...followed, edited, isMoved };
}
