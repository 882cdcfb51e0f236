import type { Trial } from '@policy-machinery/effective-policy';

/** The number of targets or resources in a slice, which takes a few milliseconds. */
const size = 64;

/** Lets a trial catch up with its topology, in slices between which other work continues. */
export class CatchUp {
  readonly #trial: Trial;
  #underWay: Promise<void> | undefined;

  constructor(trial: Trial) {
    this.#trial = trial;
  }

  /**
   * Waits until the trial has caught up.
   *
   * @param ms How long to wait, in milliseconds; 0 does not wait. The rest continues after that.
   * @returns Whether the trial has caught up.
   */
  async within(ms: number): Promise<boolean> {
    if (this.#trial.isUpToDate) return true;
    if (ms <= 0) {
      this.done().catch(() => {}); // The next review meets the error again.
      return false;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    try {
      return await Promise.race([this.done().then(() => true as const), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves when the trial has caught up. */
  done(): Promise<void> {
    this.#underWay ??= this.#run().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #run(): Promise<void> {
    for (const _ of this.#trial.compute({ size })) await new Promise((resolve) => setImmediate(resolve));
  }
}
