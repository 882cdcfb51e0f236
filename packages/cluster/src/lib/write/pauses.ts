import { type Backoff, createBackoff } from '../time/backoff.ts';
import type { Clock } from '../time/clock.ts';

/** The delays after the first refused connection, in milliseconds. */
const unreachableBackoff = { first: 1000, cap: 30_000 };

/** The delays after a write that is not allowed, in milliseconds. People must mend it. */
const forbiddenBackoff = { first: 5000, cap: 60_000, resetAfter: 120_000 };

/**
 * The delay after an object's first failure, and the longest, in milliseconds: those of client-go's work queue for what passes by itself, and
 * longer ones for what people must mend.
 */
const objectBackoffs = {
  failed: { first: 10, cap: 1_000_000 },
  missing: { first: 1000, cap: 600_000 },
  forbidden: { first: 5000, cap: 60_000 },
  refused: { first: 60_000, cap: 600_000 },
};

/** The longest pause of all writes that an API server can ask for, in milliseconds. */
const longestPause = 30_000;

/** How long to wait: with everything, with a kind, with an object. */
export class Pauses {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #unreachable: Backoff;
  readonly #forbidden = new Map<string, Backoff>();
  readonly #failures = new Map<string, number>();
  #until = Number.NEGATIVE_INFINITY;
  #isUnreachable = false;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
    this.#unreachable = createBackoff(unreachableBackoff, clock, random);
  }

  /** The time until anything may be sent, in milliseconds; 0 if it may be now. */
  get left(): number {
    return Math.max(0, this.#until - this.#clock.monotonic());
  }

  /** Whether the API server could not be reached last, so that one write is enough to find out. */
  get isUnreachable(): boolean {
    return this.#isUnreachable;
  }

  /** Stops all writes after a refused connection. Returns for how long, in milliseconds. */
  unreachable(): number {
    this.#isUnreachable = true;
    // Writes that were in flight together fail together, and count once.
    if (this.left > 0) return this.left;
    // Half of the delay is fixed, so that a server that is down is not asked again at once.
    return this.#stop(500 + this.#unreachable.next());
  }

  /** Stops all writes for the time that the API server asks for, half a minute at most. Returns the time, in milliseconds. */
  throttled(retryAfter = 1000): number {
    return this.#stop(Math.min(longestPause, retryAfter));
  }

  /** Returns how long to wait with a kind that may not be written to, in milliseconds. */
  forbidden(kind: string): number {
    const known = this.#forbidden.get(kind) ?? createBackoff(forbiddenBackoff, this.#clock, this.#random);
    this.#forbidden.set(kind, known);
    return 1000 + known.next();
  }

  /** Counts one more failure of an object. Returns how long to wait with it, in milliseconds. */
  failed(locator: string, how: keyof typeof objectBackoffs = 'failed'): number {
    const { first, cap } = objectBackoffs[how];
    const failures = this.#failures.get(locator) ?? 0;
    this.#failures.set(locator, failures + 1);
    return Math.min(cap, first * 2 ** failures);
  }

  /** Records that the API server answers again. */
  answered(): void {
    this.#isUnreachable = false;
    this.#unreachable.reset();
  }

  /** Forgets the failures of an object. */
  succeeded(locator: string): void {
    this.#failures.delete(locator);
  }

  #stop(ms: number): number {
    this.#until = Math.max(this.#until, this.#clock.monotonic() + ms);
    return this.left;
  }
}
