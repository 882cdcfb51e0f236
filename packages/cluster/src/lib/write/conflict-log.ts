/** Counts conflicts of objects within the last minute. */
export class ConflictLog {
  readonly #times = new Map<string, number[]>();

  /**
   * Counts one more conflict.
   *
   * @param locator The object.
   * @param now The time in milliseconds.
   * @returns How many there were within a minute, with this one.
   */
  add(locator: string, now: number): number {
    const times = (this.#times.get(locator) ?? []).filter((time) => now - time < 60_000);
    times.push(now);
    this.#times.delete(locator);
    this.#times.set(locator, times);
    this.#dropOld(now);
    return times.length;
  }

  /** Drops objects without a conflict in the last minute. They are first, since each conflict moves its object to the end. */
  #dropOld(now: number): void {
    for (const [locator, times] of this.#times) {
      if (now - (times.at(-1) ?? now) < 60_000) return;
      this.#times.delete(locator);
    }
  }
}
