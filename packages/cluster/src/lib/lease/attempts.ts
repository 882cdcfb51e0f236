import { messageOf } from '@policy-machinery/resource';
import { type Clock, sleep } from '../time/clock.ts';

/** Why a lease can be neither read nor written. */
export interface LeaseFault {
  /** The reason for the last failure. */
  readonly message: string;
  /** How long all attempts have failed, in milliseconds. */
  readonly lasts: number;
}

/** Attempts to keep a lease, one after another. */
export class Attempts {
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  /** The last failure, and when the first one in a row happened; `undefined` if the last attempt has succeeded. */
  #failing: { readonly error: unknown; readonly since: number } | undefined;

  /** @param context The clock of the pauses, and a function that is called with each error. */
  constructor({ clock, onError }: { readonly clock: Clock; readonly onError: (error: unknown) => void }) {
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Why attempts fail; `undefined` if the last one has succeeded. */
  get fault(): LeaseFault | undefined {
    if (this.#failing === undefined) return undefined;
    const { error, since } = this.#failing;
    return { message: messageOf(error), lasts: this.#clock.monotonic() - since };
  }

  /**
   * Attempts until a signal aborts.
   *
   * @param attempt One attempt. If it rejects, attempts continue.
   * @param delay Returns the time until the next attempt, in milliseconds.
   * @param signal Ends the attempts.
   * @returns Resolves when the signal has aborted.
   */
  async run(attempt: () => Promise<void>, delay: () => number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await attempt();
        this.#failing = undefined;
      } catch (error) {
        if (signal.aborted) return;
        this.#failing = { error, since: this.#failing?.since ?? this.#clock.monotonic() };
        this.#onError(error);
      }
      await sleep(this.#clock, delay(), signal);
    }
  }
}
