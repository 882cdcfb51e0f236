/**
 * Records which writes a planner owes to its first plan rather than to a change. A locator is one of a policy or of another object that can have a
 * status.
 */
export class FirstPlan {
  /** The scope of the first plan, without objects that have changed since. */
  readonly #due = new Set<string>();
  /** The objects that the first plan has writes for, without accepted writes and without objects that have changed since. */
  readonly #planned = new Set<string>();

  /** Adds to the scope of the first plan. */
  add(locators: Iterable<string>): void {
    for (const locator of locators) this.#due.add(locator);
  }

  /** Records that there is a write for a locator. */
  planned(locator: string): void {
    if (this.#due.has(locator)) this.#planned.add(locator);
  }

  /** Records a change: later writes are due to that. */
  changed(locator: string): void {
    this.#due.delete(locator);
    this.#planned.delete(locator);
  }

  /** Records that a write has been accepted. */
  accepted(locator: string): void {
    this.#planned.delete(locator);
  }

  /** Ends the plan. Its writes that have not been accepted still count to it. */
  end(): void {
    this.#due.clear();
  }

  /** Forgets everything. */
  startOver(): void {
    this.#due.clear();
    this.#planned.clear();
  }

  /** Returns whether a write is one of the first plan. */
  has(locator: string): boolean {
    return this.#planned.has(locator);
  }
}
