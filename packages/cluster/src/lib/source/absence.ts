import type { Clock } from '../time/clock.ts';
import type { SourcePhase } from './source-state.ts';

/** The time between the two denials that prove the absence of a kind, in milliseconds. */
const check = 1000;

/** How long a kind must be absent until its known objects count as gone, in milliseconds. */
const hold = 30_000;

/** Proves that an API server does not serve a kind: by two denials in a row, and while objects are known, by denials for half a minute. */
export class Absence {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** When the API server has denied the kind for the first time in a row. */
  #since: number | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Whether the API server has denied the kind, and the proof is not complete. */
  get isSuspected(): boolean {
    return this.#since !== undefined;
  }

  /** Records that the kind is served. */
  serve(): void {
    this.#since = undefined;
  }

  /** Records that a healthy API server denies the kind. Returns when to ask again, in milliseconds; 0 if its absence is proven. */
  deny(phase: SourcePhase): number {
    const time = this.#clock.monotonic();
    const isFirst = this.#since === undefined;
    this.#since ??= time;
    const remaining = this.#since + (phase === 'synced' || phase === 'stale' ? hold : check) - time;
    return !isFirst && remaining <= 0 ? 0 : Math.max(check, remaining);
  }
}
