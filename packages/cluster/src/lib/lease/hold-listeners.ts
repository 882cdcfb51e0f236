import { messageOf } from '@policy-machinery/resource';

/** The functions that are called when this process begins or ceases to hold something. */
export class HoldListeners {
  readonly #held: string;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<(isHeld: boolean) => void>();

  /**
   * @param held The held thing, for messages.
   * @param onError Called with the error of a listener. The others are still called.
   */
  constructor(held: string, onError: (error: unknown) => void) {
    this.#held = held;
    this.#onError = onError;
  }

  /** Adds a listener. Returns a function that removes it. */
  add(listener: (isHeld: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(isHeld: boolean): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(isHeld);
      } catch (error) {
        this.#onError(new Error(`a listener of the ${this.#held} threw: ${messageOf(error)}`, { cause: error }));
      }
    }
  }
}
