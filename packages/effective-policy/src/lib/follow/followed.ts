import type { TargetNode } from '@policy-machinery/topology';
import type { Stack } from '../contexts/stack.ts';
import type { EditedStacks } from './edited-stacks.ts';

/** What a change of the topology did to the effective policies of a kind. Who is given it may add to it. */
export interface Followed<Spec> {
  /** The effective targets whose contexts have come, gone or changed. */
  readonly targets: Set<TargetNode>;
  /** All effective targets whose contexts were looked at again, and the stacks that they had, as far as those were known. */
  readonly lookedAt: Map<TargetNode, readonly Stack<Spec>[]>;
  /** Locators of the policies attached to anything that was looked at, unless all is in its place. */
  readonly policies: ReadonlySet<string>;
  /** The objects whose status may need updating: other policies may affect them. */
  readonly objects: Set<TargetNode>;
  /** The stacks in which policies have been edited. */
  readonly edited: EditedStacks<Spec>;
  /** Whether stacks have come or gone, and not only policies have been edited. */
  readonly isMoved: boolean;
}

/** {@link Followed}, of one way of following. */
export type FollowedTargets<Spec> = Omit<Followed<Spec>, 'edited' | 'isMoved'>;
