import type { Clock, WriteOutcome, WriteResult } from '@policy-machinery/cluster';
import type { Instruments } from './instruments.ts';

/** Whether a write with that result is over. After the others, the object is planned or sent again. */
const isOver: Readonly<Record<WriteResult, boolean>> = {
  written: true,
  gone: true,
  refused: true,
  conflict: false,
  outdated: false,
  retried: false,
};

/**
 * Measures how far statuses are behind: the time from the first change that the status of an object does not show yet, until the API server has
 * the status. Holds one number for each object with a pending write.
 */
export class StatusLag {
  readonly #statusLag: Instruments['statusLag'];
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #changedAt = new Map<string, number>();

  /**
   * @param instruments Where to record the times.
   * @param clock The clock of the changes.
   */
  constructor({ statusLag }: Pick<Instruments, 'statusLag'>, clock: Pick<Clock, 'monotonic'>) {
    this.#statusLag = statusLag;
    this.#clock = clock;
  }

  /**
   * Records that a write to an object was planned.
   *
   * @param locator The object.
   * @param changedAt When the change arrived that made it necessary, by the monotonic clock. An earlier one that is still open counts instead.
   */
  planned(locator: string, changedAt: number): void {
    if (!this.#changedAt.has(locator)) this.#changedAt.set(locator, changedAt);
  }

  /** Records that an object no longer needs a write. */
  cancelled(locator: string): void {
    this.#changedAt.delete(locator);
  }

  settled({ write, result }: Pick<WriteOutcome, 'write' | 'result'>): void {
    const { locator } = write;
    if (!isOver[result]) return;
    const changedAt = this.#changedAt.get(locator);
    this.#changedAt.delete(locator);
    if (result === 'written' && changedAt !== undefined) {
      this.#statusLag.record({}, (this.#clock.monotonic() - changedAt) / 1000);
    }
  }
}
