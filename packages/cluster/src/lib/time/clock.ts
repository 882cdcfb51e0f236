/** Where time comes from. Pass a fake one in tests. */
export interface Clock {
  /** Returns the time of day, in milliseconds since 1970. It may jump. */
  now(): number;
  /** Returns a time that never goes back, in milliseconds since some moment. */
  monotonic(): number;
  /**
   * Calls a function once, later.
   *
   * @param callback The function.
   * @param ms The delay in milliseconds. No call comes before it is over, except after more than 24 days.
   * @returns A function that cancels the call.
   */
  setTimeout(callback: () => void, ms: number): () => void;
}

/** The longest delay of a timer. After a longer one, Node would call at once. */
const longest = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback, ms) => {
    // Node counts the milliseconds of its timers from the last whole one, so that a timer may be early by a part of one.
    const timer = setTimeout(callback, Math.min(Math.ceil(ms) + 1, longest));
    return () => clearTimeout(timer);
  },
};

/**
 * Waits.
 *
 * @param ms The time to wait, in milliseconds.
 * @param signal Ends the wait early.
 * @returns A promise that resolves after the time, or when the signal aborts; never rejects.
 */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
