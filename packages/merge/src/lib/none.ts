import type { MergeStrategy } from './strategy.ts';

/**
 * None: nothing is merged. Among the policies that meet, the established one stays as it is, and the others are in conflict
 * (M-02, C-06). Cannot be combined with other strategies in one policy kind (C-07).
 */
export const none: MergeStrategy = {
  granularity: 'None',
  defaults: (established) => established,
};
