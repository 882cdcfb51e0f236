import type { Clock } from '../time/clock.ts';
import { type ObjectWrite, partOf } from './object-write.ts';

/** The number of postponed writes above which those to deleted objects are forgotten. */
const limit = 10_000;

interface Postponed {
  readonly locator: string;
  readonly patch: string;
  readonly cancel: () => void;
}

/** Writes that the API server has refused, or that another manager undoes. None is sent before its time, as long as it is the same. */
export class PostponedWrites<W extends ObjectWrite> {
  readonly #clock: Pick<Clock, 'setTimeout'>;
  readonly #isThere: (locator: string) => boolean;
  readonly #byPart = new Map<string, Postponed>();

  /** @param isThere Returns whether an object is there. */
  constructor(clock: Pick<Clock, 'setTimeout'>, isThere: (locator: string) => boolean) {
    this.#clock = clock;
    this.#isThere = isThere;
  }

  /**
   * Postpones a write.
   *
   * @param ms How long, in milliseconds.
   * @param onEnd Called at the end of that time.
   */
  add(write: W, ms: number, onEnd: () => void): void {
    const part = partOf(write);
    this.#forget(part);
    const cancel = this.#clock.setTimeout(() => {
      this.#byPart.delete(part);
      onEnd();
    }, ms);
    this.#byPart.set(part, { locator: write.locator, patch: JSON.stringify(write.patch), cancel });
    if (this.#byPart.size < limit) return;
    for (const [other, { locator }] of this.#byPart) if (!this.#isThere(locator)) this.#forget(other);
  }

  /** Returns whether a write is one that was postponed. Any other write to the same part of the object makes it forgotten. */
  has(write: W): boolean {
    const part = partOf(write);
    const postponed = this.#byPart.get(part);
    if (postponed === undefined) return false;
    if (postponed.patch === JSON.stringify(write.patch)) return true;
    this.#forget(part);
    return false;
  }

  /** Forgets all. */
  clear(): void {
    for (const part of this.#byPart.keys()) this.#forget(part);
  }

  #forget(part: string): void {
    this.#byPart.get(part)?.cancel();
    this.#byPart.delete(part);
  }
}
