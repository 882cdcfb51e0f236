import type { MergeStrategy } from './strategy.ts';

/**
 * None: nothing is merged. Among the policies that meet, the established one stays unchanged, and the others are in conflict.
 * Cannot be combined with other strategies in one policy kind.
 */
export const none: MergeStrategy<unknown> = {
  granularity: 'None',
  defaults: (established) => established,
};
