import type { EffectivePolicy } from '@policy-machinery/effective-policy';

/** The contexts of a target, before or after a change. */
export type Contexts = readonly EffectivePolicy<unknown>[];

/** A context before and after a change; `undefined` where it does not exist. */
export type Pair = readonly [before: EffectivePolicy<unknown> | undefined, after: EffectivePolicy<unknown> | undefined];
