import { messageOf } from '@policy-machinery/resource';
import { type Clock, sleep } from '../time/clock.ts';
import { isRefused } from '../transport/refused-credentials.ts';
import { connectionCode } from '../transport/transport.ts';

/** Why a lease can be neither read nor written. */
export interface LeaseFault {
  /**
   * The cause:
   * - `api-server`: the API server does not answer, or refuses the request. Another process has the same fault.
   * - `credentials`: the API server refuses the credentials, or its certificate is not trusted. Another process may have others.
   * - `process`: an attempt does not end, or the process has too many open files. Another process may work.
   */
  readonly cause: 'api-server' | 'credentials' | 'process';
  /** The reason for the last failure. */
  readonly message: string;
  /** How long all attempts have failed for such a reason, in milliseconds. */
  readonly lasts: number;
}

/**
 * An attempt has a few requests, and each ends within half of the renew deadline. An attempt that takes the renew
 * deadline for each of them is stuck.
 */
const stuckAfter = 5;

/** Attempts to keep a lease, one after another. */
export class Attempts {
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #longest: number;
  /** The last failure, and the begin of the failures for such a reason; `undefined` if the last one has succeeded. */
  #failing: { readonly error: unknown; readonly cause: LeaseFault['cause']; readonly since: number } | undefined;
  #endedAt: number;

  /** @param context The clock of the pauses, a function that is called with each error, and the renew deadline of the lease in milliseconds. */
  constructor({ clock, onError, renewDeadline }: AttemptsContext) {
    this.#clock = clock;
    this.#onError = onError;
    this.#longest = stuckAfter * renewDeadline;
    this.#endedAt = clock.monotonic();
  }

  /** Why attempts fail; `undefined` if the last one has succeeded. */
  get fault(): LeaseFault | undefined {
    const time = this.#clock.monotonic();
    const lasts = time - this.#endedAt;
    if (lasts >= this.#longest) return { cause: 'process', message: 'an attempt does not end', lasts };
    if (this.#failing === undefined) return undefined;
    const { error, cause, since } = this.#failing;
    return { cause, message: messageOf(error), lasts: time - since };
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
        this.#fail(error);
        this.#onError(error);
      }
      this.#endedAt = this.#clock.monotonic();
      await sleep(this.#clock, delay(), signal);
    }
  }

  #fail(error: unknown): void {
    const cause = causeOf(error);
    const since = this.#failing?.cause === cause ? this.#failing.since : this.#clock.monotonic();
    this.#failing = { error, cause, since };
  }
}

function causeOf(error: unknown): LeaseFault['cause'] {
  if (isRefused(error)) return 'credentials';
  return connectionCode(error) === 'EMFILE' ? 'process' : 'api-server';
}

interface AttemptsContext {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly renewDeadline: number;
}
