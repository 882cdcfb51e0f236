import type { Clock, SourceState } from '@policy-machinery/cluster';

/** Calls a function once for each kind that has been stale for too long, until the kind is read again. */
export class StaleAlarms {
  readonly #clock: Clock;
  readonly #after: number;
  readonly #onStale: (kind: string, state: SourceState) => void;
  readonly #states = new Map<string, SourceState>();
  readonly #cancels = new Map<string, () => void>();

  /**
   * @param delay How long a kind may be stale, in milliseconds.
   * @param onStale Takes the kind, by `groupKindKey`, and its state by then.
   */
  constructor(clock: Clock, delay: number, onStale: (kind: string, state: SourceState) => void) {
    this.#clock = clock;
    this.#after = delay;
    this.#onStale = onStale;
  }

  take(states: ReadonlyMap<string, SourceState>): void {
    for (const [kind, state] of states) {
      if (state.phase !== 'stale') {
        this.#cancels.get(kind)?.();
        this.#cancels.delete(kind);
      } else if (!this.#cancels.has(kind)) {
        this.#cancels.set(
          kind,
          this.#clock.setTimeout(() => this.#onStale(kind, this.#states.get(kind) ?? state), this.#after),
        );
      }
      this.#states.set(kind, state);
    }
  }

  /** Calls no more. */
  close(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}
