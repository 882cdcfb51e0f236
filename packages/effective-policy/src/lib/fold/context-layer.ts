import type { Traced } from '@policy-machinery/merge';
import type { Layer } from '@policy-machinery/policy-kind';
import type { Level } from '../levels/level.ts';

/** A layer in its place in a context. */
export interface ContextLayer<Spec> extends Layer<Spec> {
  /** The layer itself: the same one wherever its policy is met. */
  readonly layer: Layer<Spec>;
  /** The target that its policy is attached to. */
  readonly level: Level<Spec>;
  /** Place of the level in the context; 0 is the least specific. */
  readonly depth: number;
  /** The layer whose strategy applies when this one meets what lies below it: itself, or an older one of its level. */
  readonly strategyFrom: Layer<Spec>;
}

/** Whether a layer is what a target says itself. */
export function isOwnLayer<Spec>({ policy, level }: ContextLayer<Spec>): boolean {
  return policy.resource === level.resource;
}

/** A spec on its way to the effective one, with the layers that set its fields. */
export type TracedSpec<Spec> = Traced<ContextLayer<Spec>>;
