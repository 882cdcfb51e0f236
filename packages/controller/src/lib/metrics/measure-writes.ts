import type { Clock, WriteOutcome, WritePriority } from '@policy-machinery/cluster';
import { countWrites } from './count-writes.ts';
import type { Instruments } from './instruments.ts';
import { measureQueue } from './measure-queue.ts';
import { StatusLag } from './status-lag.ts';

export interface MeasuredWriter {
  queuedAt(priority: WritePriority): number;
}

/** The priorities of writes, the most urgent first. */
export const writePriorities: readonly WritePriority[] = [0, 1, 2, 3];

/** Measures the writes of statuses, as a work queue and by outcome. */
export class WriteMeter {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #count: (outcome: Pick<WriteOutcome, 'write' | 'result' | 'took'>) => void;
  readonly #lag: StatusLag;
  readonly #queue: ReturnType<typeof measureQueue>;
  /** Functions that end the measurement of each request in flight, by locator. */
  readonly #ends = new Map<string, () => void>();
  #writer: MeasuredWriter | undefined;

  constructor(instruments: Instruments, controller: string, clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#count = countWrites(instruments);
    this.#lag = new StatusLag(instruments, clock);
    const depths = () => writePriorities.map((priority) => this.#writer?.queuedAt(priority) ?? 0);
    this.#queue = measureQueue(instruments, { name: 'status', controller, depths, clock });
  }

  /** Shows how much waits with a writer. */
  observe(writer: MeasuredWriter): void {
    this.#writer = writer;
  }

  /** Records that a write is planned, because of a change that arrived at a time of the monotonic clock. */
  planned(locator: string, changedAt = this.#clock.monotonic()): void {
    this.#lag.planned(locator, changedAt);
    this.#queue.added();
  }

  /** Records that an object needs no write. */
  cancelled(locator: string): void {
    this.#lag.cancelled(locator);
  }

  /** Records that the request of a write begins, and how long its object has waited in milliseconds. */
  started(locator: string, waited: number): void {
    this.#ends.get(locator)?.();
    this.#ends.set(locator, this.#queue.started(waited));
  }

  ended(outcome: WriteOutcome): void {
    const { locator } = outcome.write;
    this.#ends.get(locator)?.();
    this.#ends.delete(locator);
    if (outcome.retryIn !== undefined) this.#queue.retried();
    this.#count(outcome);
    this.#lag.settled(outcome);
  }

  /** Records that all requests in flight are aborted, because this process may no longer write. */
  aborted(): void {
    for (const end of this.#ends.values()) end();
    this.#ends.clear();
  }

  stop(): void {
    this.#queue.stop();
  }
}
