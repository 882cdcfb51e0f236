import { median } from './measure.ts';

/** By how much memory may seem to grow though it does not. */
export const tolerance = 0.03;

/**
 * By how much a figure has grown: from its median in the second quarter to that in the last. In the first one, what is
 * computed once and kept is still to come.
 *
 * @param samples The figure at even intervals, four or more.
 * @returns 0.1 for a tenth more.
 */
export function growthOf(samples: readonly number[]): number {
  const quarter = Math.floor(samples.length / 4);
  return median(samples.slice(-quarter)) / median(samples.slice(quarter, 2 * quarter)) - 1;
}
