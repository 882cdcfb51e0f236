import type { TargetNode } from '@policy-machinery/topology';
import type { ArrivalsId } from '../contexts/arrivals.ts';
import type { EditedStacks } from './edited-stacks.ts';

/** The effects of a change of the topology on the effective policies of a kind. Receivers may add to them. */
export interface Followed<Spec> {
  /** The effective targets with added, removed or changed contexts. */
  readonly targets: Set<TargetNode>;
  /** The effective targets with contexts that were found again, each with its known contexts before the change. */
  readonly lookedAt: Map<TargetNode, ArrivalsId>;
  /** The locators of the policies attached to targets that were searched again, unless no context has moved. */
  readonly policies: ReadonlySet<string>;
  /** The objects that may need a status update: other policies may affect them. */
  readonly objects: Set<TargetNode>;
  readonly edited: EditedStacks<Spec>;
  /** Whether stacks were added or removed, rather than policies edited. */
  readonly isMoved: boolean;
}

/** {@link Followed} by edits, or by moves. */
export type FollowedTargets<Spec> = Omit<Followed<Spec>, 'edited' | 'isMoved'>;

/** The targets with contexts that may differ, by edits or by moves. */
export interface Moves<Spec> {
  /** The targets with different levels, or with different links. */
  readonly levels: ReadonlySet<TargetNode>;
  /** The same targets, the targets that have changed, and all below. */
  readonly below: ReadonlySet<TargetNode>;
  readonly edited: EditedStacks<Spec>;
}
