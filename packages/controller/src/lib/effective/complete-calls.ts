import type { Clock } from '@policy-machinery/cluster';

/** The pauses after calls for all targets that have failed, in milliseconds. */
const firstPause = 1000;
const longestPause = 1_000_000;

/** The calls for all targets that have thrown, or where targets were missing: each is made again, after a longer and longer pause. */
export class CompleteCalls {
  readonly #clock: Clock;
  #failures = 0;
  #cancel: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the last call for all targets has failed. */
  get haveFailed(): boolean {
    return this.#failures > 0;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /**
   * Calls a function when the next call is due.
   *
   * @param isBusy Returns whether to wait for longer, because the rest of the last call is not done.
   */
  later(isBusy: () => boolean, onDue: () => void): void {
    this.#failures += 1;
    const pause = Math.min(longestPause, firstPause * 2 ** (this.#failures - 1));
    const wait = () => {
      this.#cancel = this.#clock.setTimeout(() => (isBusy() ? wait() : onDue()), pause);
    };
    wait();
  }

  cancel(): void {
    this.#cancel();
  }
}
