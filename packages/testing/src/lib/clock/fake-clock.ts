import type { Clock } from './clock.ts';
import { quiescence } from './turns.ts';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves the clock forward, and runs the timers that become due in their order. Work that a timer starts can continue before the next
   * timer runs, as far as it needs neither sockets nor real time. A call waits until earlier calls have finished.
   *
   * @param ms Milliseconds.
   * @throws {RangeError} If the time is negative.
   */
  advance(ms: number): Promise<void>;
  /**
   * Sets the wall clock alone forwards or back, as an administrator or NTP does. Neither timers nor `monotonic()` take notice.
   *
   * @param ms Milliseconds; negative to go back.
   */
  skew(ms: number): void;
  /** The number of timers that are set. */
  readonly timers: number;
  /** The milliseconds until the next timer is due; `undefined` if no timer is set. */
  readonly nextTimer: number | undefined;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/**
 * Creates a clock that stands still until a test moves it.
 *
 * @param options `now`: the time where it starts, as a date or an RFC 3339 text. Default 2026-01-01T00:00:00Z.
 * @returns The clock.
 * @example
 * ```ts
 * const clock = createFakeClock();
 * clock.setTimeout(() => console.log('a minute later'), 60_000);
 * await clock.advance(60_000); // a minute later
 * ```
 */
export function createFakeClock({ now = '2026-01-01T00:00:00Z' }: { readonly now?: Date | string } = {}): FakeClock {
  /** The wall clock's time when nothing has elapsed. */
  let start = new Date(now).getTime();
  if (Number.isNaN(start)) throw new RangeError(`"${now}" is not a time; write one such as 2026-01-01T00:00:00Z`);
  let elapsed = 0;
  const timers = new Set<Timer>();
  const moveBy = async (ms: number): Promise<void> => {
    const end = elapsed + ms;
    await quiescence();
    for (let timer = firstOf(timers); timer !== undefined && timer.at <= end; timer = firstOf(timers)) {
      timers.delete(timer);
      elapsed = timer.at;
      timer.callback();
      await quiescence();
    }
    elapsed = end;
  };
  /** The last move. Calls that overlap move the clock one after another. */
  let last = Promise.resolve();
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    setTimeout(callback, ms) {
      const timer = { at: elapsed + Math.max(0, ms), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`A clock does not advance by ${ms} ms; use skew to set the wall clock back`);
      const move = last.then(() => moveBy(ms));
      last = move.catch(() => {});
      await move;
    },
    skew(ms) {
      start += ms;
    },
    get timers() {
      return timers.size;
    },
    get nextTimer() {
      const timer = firstOf(timers);
      return timer && timer.at - elapsed;
    },
  };
}

/** Returns the timer that is due first; of those at the same time, the one that was set first. */
function firstOf(timers: ReadonlySet<Timer>): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
  return first;
}
