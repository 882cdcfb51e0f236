import { setNewest } from '../bounds/set-newest.ts';
import type { Clock } from '../time/clock.ts';
import { createTokenBucket, type TokenBucket } from '../time/token-bucket.ts';

/** client-go's limit for the events about one object: 25 at once, then one in five minutes. */
const rate = { perSecond: 1 / 300, burst: 25 };

/** The most objects to keep count of. */
const maxObjects = 4096;

/** Limits the events about each object. */
export class SpamFilter {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns whether one more event about an object may be sent. Counts it. */
  accepts(object: string): boolean {
    const bucket = this.#buckets.get(object) ?? createTokenBucket(rate, this.#clock);
    setNewest(this.#buckets, object, bucket, maxObjects);
    if (bucket.wait() > 0) return false;
    bucket.take();
    return true;
  }
}
