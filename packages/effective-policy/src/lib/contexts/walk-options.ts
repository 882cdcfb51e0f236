import type { AncestorEntries } from '@policy-machinery/policy-kind';
import type { Targetable, TargetNode } from '@policy-machinery/topology';
import type { PolicyLimits } from '../levels/counting-policies.ts';
import type { LevelSlot } from '../levels/level.ts';

/** The options of a policy kind for finding contexts. */
export interface WalkOptions<Spec> {
  /** Returns whether a target is an effective target, so that its contexts are wanted. */
  readonly isWanted: (target: TargetNode) => boolean;
  /** Returns whether paths to an object, or through it, count. */
  readonly isIncluded: (object: TargetNode) => boolean;
  /** The kinds of effective targets. */
  readonly wanted: readonly Targetable[];
  /** Returns the slots of a target, the less specific one first. */
  readonly slotsAt: (target: TargetNode) => readonly LevelSlot<Spec>[];
  /** Returns whether a container of an object is a level above the object. */
  readonly isLevelAround: (container: TargetNode, object: TargetNode) => boolean;
  /** Whether policies affect only the object that they are attached to, so that paths leave them there. */
  readonly isDirect: boolean;
  /** Returns whether an object is an ancestor in the statuses of policies. */
  readonly isAncestor: (object: TargetNode) => boolean;
  /** The ancestors that count, and how statuses name them. */
  readonly ancestorEntries: AncestorEntries;
  /** The maximum number of distinct stacks of a target. A target with more is left out, with all targets below. */
  readonly maxContexts: number;
  /** The maximum size of a stack. A target with a larger one is left out in the same way. */
  readonly stackLimits: PolicyLimits;
}
