import type { Clock } from '@policy-machinery/cluster';

/** The time that a stop may take, whatever hangs. */
export class StopDeadline {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #isOver: Promise<void>;
  #end: () => void = () => {};
  #endsAt: number | undefined;
  #cancel: () => void = () => {};

  /** @param ms The time, in milliseconds. */
  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
    this.#isOver = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Starts the time, once. */
  start(): void {
    if (this.#endsAt !== undefined) return;
    this.#endsAt = this.#clock.monotonic() + this.#ms;
    this.#cancel = this.#clock.setTimeout(this.#end, this.#ms);
  }

  /** The time that is left, in milliseconds. */
  get left(): number {
    return Math.max(0, (this.#endsAt ?? Number.POSITIVE_INFINITY) - this.#clock.monotonic());
  }

  /** Returns a promise that resolves when some work has ended, or the time is over. */
  async until(work: Promise<unknown>): Promise<void> {
    await Promise.race([work, this.#isOver]);
  }

  clear(): void {
    this.#cancel();
  }
}
