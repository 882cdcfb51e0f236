import type { Clock } from '../time/clock.ts';
import { connectionCode } from '../transport/transport.ts';

/** An API server that was away for no longer has the same history: restoring another one takes longer. In milliseconds. */
const shortestOutage = 2000;

/** A watch that has lived so long has worked, so the delay after its end is a first one. In milliseconds. */
const longEnough = 10_000;

/** The contact with an API server: whether its history may be another one than before, such as after a backup was restored. */
export class Contact {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #openedAt = Number.NEGATIVE_INFINITY;
  #aliveAt = Number.NEGATIVE_INFINITY;
  /** Whether a watch broke off, without a sign of the API server since then. */
  #isBroken = false;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Whether there was no sign of the API server for so long that it may have been replaced, or set back. */
  get wasLost(): boolean {
    return this.#clock.monotonic() - this.#aliveAt > shortestOutage;
  }

  /** Whether an API server that refuses a request now may be another one: a watch broke off, and then there was no sign of it for long. */
  get mayBeStarting(): boolean {
    return this.#isBroken && this.wasLost;
  }

  /** Records that a watch has begun. */
  open(): void {
    this.#openedAt = this.#clock.monotonic();
    this.renew();
  }

  /** Records a sign of life. */
  renew(): void {
    this.#aliveAt = this.#clock.monotonic();
    this.#isBroken = false;
  }

  /**
   * Records that a watch has broken off. Its end is a sign of life, unless the API server was silent.
   *
   * @returns Whether it had lived long.
   */
  break(error: unknown): boolean {
    if (connectionCode(error) !== 'ETIMEDOUT') this.renew();
    this.#isBroken = true;
    return this.#clock.monotonic() - this.#openedAt >= longEnough;
  }
}
