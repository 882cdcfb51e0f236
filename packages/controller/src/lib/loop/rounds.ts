import type { Clock, SourceChanges } from '@policy-machinery/cluster';

export interface RoundsContext {
  readonly clock: Clock;
  /** Takes why a round has failed, and the time until the next one in milliseconds. */
  readonly onFailure: (error: unknown, retryIn: number) => void;
}

/** The pause after a round that failed unexpectedly, and the longest one after many in a row, in milliseconds. */
const firstRetry = 1000;
const longestRetry = 30_000;

/** The pause before a round without changes, in milliseconds. Until then, the topology takes everything that the sources received. */
const soon = 100;

/** Handles changes, and those that an earlier call has left. */
type Reconcile = (changes: SourceChanges) => Promise<void>;

const noChanges: SourceChanges = { upsert: [], remove: [], states: new Map() };

/**
 * Runs rounds one after the other, between {@link start} and {@link close}. A round that fails unexpectedly is followed by another one, until one
 * succeeds.
 */
export class Rounds {
  readonly #context: RoundsContext;
  /** Ends with the last round so far. Never rejects. */
  #last: Promise<void> = Promise.resolve();
  /** How many rounds have not begun yet. */
  #waiting = 0;
  #failures = 0;
  #retryAt = Number.NEGATIVE_INFINITY;
  #cancelRetry: () => void = () => {};
  #cancelSoon: (() => void) | undefined;
  /** `undefined` while rounds do not run. */
  #reconcile: Reconcile | undefined;

  constructor(context: RoundsContext) {
    this.#context = context;
  }

  /** Runs rounds from now on. */
  start(reconcile: Reconcile): void {
    this.#reconcile = reconcile;
  }

  /** The time until the next round after a failure, in milliseconds; 0 if the last one has succeeded. */
  get retryIn(): number {
    return Math.max(0, this.#retryAt - this.#context.clock.monotonic());
  }

  /** Runs a round after those before. Default: without changes. Never rejects. */
  async run(changes = noChanges): Promise<void> {
    const reconcile = this.#reconcile;
    if (reconcile === undefined) return;
    this.#waiting += 1;
    const round = this.#last.then(() => {
      this.#waiting -= 1;
      return reconcile(changes);
    });
    this.#last = round.catch(() => {});
    try {
      await round;
      this.#failures = 0;
      this.#cancel();
    } catch (error) {
      this.#retry(error);
    }
  }

  /** Runs a round without changes after a short pause: one round, however often it is called before that begins. */
  runSoon(): void {
    if (this.#reconcile === undefined) return;
    this.#cancelSoon ??= this.#context.clock.setTimeout(() => {
      this.#cancelSoon = undefined;
      if (this.#waiting === 0) void this.run(); // Else a later round will see the same.
    }, soon);
  }

  /** Returns a promise that resolves when all rounds so far have ended. */
  idle(): Promise<void> {
    return this.#last;
  }

  /** Runs no more rounds. */
  close(): void {
    this.#reconcile = undefined;
    this.#cancelSoon?.();
    this.#cancel();
  }

  #cancel(): void {
    this.#cancelRetry();
    this.#retryAt = Number.NEGATIVE_INFINITY;
  }

  #retry(error: unknown): void {
    const { clock, onFailure } = this.#context;
    const retryIn = Math.min(longestRetry, firstRetry * 2 ** this.#failures);
    this.#failures += 1;
    this.#cancel();
    this.#retryAt = clock.monotonic() + retryIn;
    if (this.#reconcile !== undefined) this.#cancelRetry = clock.setTimeout(() => void this.run(), retryIn);
    onFailure(error, retryIn);
  }
}
