import type { TwoSidedStrategy } from './strategy.ts';

/** Atomic: one spec or the other, never a mixture. Defaults yield to the challenger, and overrides replace it. */
export const atomic: TwoSidedStrategy<unknown> = {
  granularity: 'Atomic',
  defaults: (_established, challenger) => challenger,
  overrides: (established) => established,
};
