import type { Traced } from '@policy-machinery/merge';
import type { Layer } from '@policy-machinery/policy-kind';
import type { Level } from '../levels/level.ts';

/** A layer with its place in a context. */
export interface ContextLayer<Spec> extends Layer<Spec> {
  /** The layer itself, which is the same in all contexts. */
  readonly layer: Layer<Spec>;
  /** The level of its policy. */
  readonly level: Level<Spec>;
  /** The place of the level in the context; 0 is the least specific one. */
  readonly depth: number;
  /** The layer that chooses the strategy when this one is merged with the result below: itself, or an older layer of its level. */
  readonly strategyFrom: Layer<Spec>;
}

/** Returns whether a layer is a target's own value. */
export function isOwnLayer<Spec>({ policy, level }: ContextLayer<Spec>): boolean {
  return policy.resource === level.resource;
}

/** The spec of a layer, or the result of several layers, with the layers that set its fields. */
export type TracedSpec<Spec> = Traced<ContextLayer<Spec>>;
