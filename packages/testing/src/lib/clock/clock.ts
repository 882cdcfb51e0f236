/** The time and timers that code runs on, so that tests can move them. */
export interface Clock {
  /** Returns the time of the wall clock, in milliseconds since 1970. */
  now(): number;
  /** Returns a time that never goes back, in milliseconds since some moment. */
  monotonic(): number;
  /**
   * Calls a function later.
   *
   * @param callback The function.
   * @param ms The delay in milliseconds.
   * @returns Cancels the timer, unless the function has already been called.
   */
  setTimeout(callback: () => void, ms: number): () => void;
}

/** The clock of the machine. Its timers do not keep the process running. */
export const machineClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout(callback, ms) {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};
