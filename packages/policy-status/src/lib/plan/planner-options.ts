import type { PlanStatusOptions } from './plan-options.ts';

/** How a planner writes statuses: the options of `planStatus`, with a clock. */
export interface StatusPlannerOptions extends Omit<PlanStatusOptions, 'now' | 'changes'> {
  /** Returns the time of a plan, for conditions whose status flips: `() => new Date()`. */
  readonly now: () => Date;
  /**
   * Which writes the next plan repeats if nothing has changed:
   * - `until-done` (the default): those that are not `done`. Each plan looks at all of them.
   * - `after-failure`: those that have `failed`, for a queue that keeps each write until the write is made or replaced.
   */
  readonly repeat?: 'until-done' | 'after-failure';
}

/** How a plan is made in slices. */
export interface PlanSliceOptions {
  /** How many policies or objects a slice looks at, at most. Default 8. */
  readonly size?: number;
}
