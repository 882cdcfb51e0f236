/**
 * Gives reviews their turns, one at a time, with the event loop's other work between them. So requests arrive while earlier ones are reviewed, and
 * the time that they wait is known.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  #isTaken = false;

  /**
   * Waits for a turn.
   *
   * @param deadline The time of `performance.now()` until which a turn is of use.
   * @returns Whether the turn is of use. Turns that are not take no time of others; one without others before it comes at once.
   */
  async take(deadline: number): Promise<boolean> {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push({ deadline, resolve }));
    this.#begin();
    return true;
  }

  #begin(): void {
    this.#isTaken = true;
    setImmediate(() => this.#end());
  }

  #end(): void {
    this.#isTaken = false;
    const time = performance.now();
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const isOfUse = next.deadline >= time;
      if (isOfUse) this.#begin();
      next.resolve(isOfUse);
      if (isOfUse) return;
    }
  }
}

interface Waiting {
  readonly deadline: number;
  readonly resolve: (isOfUse: boolean) => void;
}
