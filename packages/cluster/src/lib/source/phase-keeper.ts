import { messageOf } from '@policy-machinery/resource';
import type { Clock } from '../time/clock.ts';
import { isRefused } from '../transport/refused-credentials.ts';
import { StatusError } from '../transport/status-error.ts';
import { OtherVersionError } from './resolve-kind.ts';
import type { SourcePhase, SourceState } from './source-state.ts';

/** How many watches in a row may break off, without an event between, until the objects count as stale. */
const toleratedBreaks = 2;

/** Keeps the state of a source, and reports each change of it. */
export class PhaseKeeper {
  readonly #clock: Clock;
  readonly #onState: (state: SourceState) => void;
  #state: SourceState;
  #breaks = 0;

  constructor(clock: Clock, onState: (state: SourceState) => void) {
    this.#clock = clock;
    this.#onState = onState;
    this.#state = { phase: 'listing', since: clock.now(), failures: 0 };
    onState(this.#state);
  }

  get phase(): SourcePhase {
    return this.#state.phase;
  }

  get failures(): number {
    return this.#state.failures;
  }

  /** Sets the phase after a success. */
  succeed(phase: 'synced' | 'absent'): void {
    this.#breaks = 0;
    if (this.#state.phase === phase && this.#state.failures === 0) return;
    this.#change({ phase, since: this.#sinceOf(phase), failures: 0 });
  }

  /** Records that the server has accepted a watch. After too many broken watches, only a change shows that the watch works. */
  open(): void {
    if (this.#breaks > toleratedBreaks) return;
    const breaks = this.#breaks;
    this.succeed('synced');
    this.#breaks = breaks;
  }

  /** Records that the server has sent something. */
  progress(): void {
    if (this.#breaks > 0 || this.#state.failures > 0) this.succeed('synced');
  }

  /**
   * Counts a failure.
   *
   * @param error The failure.
   * @param hint The remedy for the failure, if that is known.
   * @param isBreak Whether a watch broke, which usually recovers at once.
   */
  fail(error: unknown, hint: string, isBreak: boolean): void {
    if (isBreak) this.#breaks += 1;
    const phase = this.#phaseAfter(error, isBreak && this.#breaks <= toleratedBreaks);
    const code = error instanceof StatusError ? { code: error.code } : {};
    const refusals = isRefused(error) ? { refusals: (this.#state.refusals ?? 0) + 1 } : {};
    const failures = this.#state.failures + 1;
    const message = `${messageOf(error)}${hint}`;
    this.#change({ phase, since: this.#sinceOf(phase), failures, ...refusals, ...code, message });
  }

  #phaseAfter(error: unknown, isMinor: boolean): SourcePhase {
    const { phase } = this.#state;
    if (phase === 'synced') return isMinor ? 'synced' : 'stale';
    if (phase === 'absent' && error instanceof OtherVersionError) return 'stale';
    if (phase === 'stale' || phase === 'absent') return phase;
    return error instanceof StatusError && error.code === 403 ? 'forbidden' : 'listing';
  }

  #sinceOf(phase: SourcePhase): number {
    return phase === this.#state.phase ? this.#state.since : this.#clock.now();
  }

  #change(state: SourceState): void {
    // A break that recovers at once is not reported.
    const isQuiet = state.phase === 'synced' && this.#state.phase === 'synced';
    this.#state = state;
    if (!isQuiet) this.#onState(state);
  }
}
