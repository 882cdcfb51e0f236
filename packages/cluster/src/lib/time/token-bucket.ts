import type { Clock } from './clock.ts';

/** A rate limit: how many on average, and how many at once. */
export interface Rate {
  /** Tokens that come in each second. */
  readonly perSecond: number;
  /** The most tokens that are kept. */
  readonly burst: number;
}

/** A budget that fills up with time. */
export interface TokenBucket {
  /** Returns the time until there is a token, in milliseconds; 0 if there is one. */
  wait(): number;
  take(): void;
}

/**
 * Creates a full token bucket.
 *
 * @param rate Its rate and size.
 * @returns The bucket.
 */
export function createTokenBucket({ perSecond, burst }: Rate, clock: Clock): TokenBucket {
  let tokens = burst;
  let filledAt = clock.monotonic();
  return {
    wait() {
      const time = clock.monotonic();
      tokens = Math.min(burst, tokens + ((time - filledAt) * perSecond) / 1000);
      filledAt = time;
      // Almost one counts as one: a wait ends when its rounded time is over.
      return tokens >= 1 - 1e-6 ? 0 : Math.ceil(((1 - tokens) * 1000) / perSecond);
    },
    take() {
      tokens -= 1;
    },
  };
}
