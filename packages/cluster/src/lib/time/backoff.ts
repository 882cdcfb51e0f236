import type { Clock } from './clock.ts';

/** How delays between attempts grow. All times in milliseconds. */
export interface BackoffOptions {
  /** The longest first delay. */
  readonly first: number;
  /** The longest delay of all. */
  readonly cap: number;
  /** The delay starts small again after that time without a failure. Default: never on its own. */
  readonly resetAfter?: number | undefined;
}

/** Delays that double from failure to failure, each random below its bound, so that clients of a restarted server come one by one. */
export interface Backoff {
  /** Returns the delay after one more failure, in whole milliseconds. */
  next(): number;
  /** Starts small again. */
  reset(): void;
}

/**
 * Creates delays with full jitter: random between 0 and `first × 2ⁿ`, at most `cap`.
 *
 * @param options How delays grow.
 * @param clock The clock, for `resetAfter`.
 * @param random Returns numbers from 0 up to 1.
 * @returns The delays.
 */
export function createBackoff(options: BackoffOptions, clock: Clock, random: () => number): Backoff {
  const { first, cap, resetAfter = Number.POSITIVE_INFINITY } = options;
  let failures = 0;
  let quietFrom = 0;
  return {
    next() {
      const time = clock.monotonic();
      if (time - quietFrom > resetAfter) failures = 0;
      const delay = Math.round(random() * Math.min(cap, first * 2 ** failures));
      failures += 1;
      quietFrom = time + delay;
      return delay;
    },
    reset() {
      failures = 0;
    },
  };
}
