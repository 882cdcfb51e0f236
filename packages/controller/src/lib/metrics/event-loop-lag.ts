import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '@policy-machinery/cluster';
import type { Instruments } from './instruments.ts';

/** The time between two looks at the event loop, in milliseconds. Lags may look shorter by so much. Each look wakes the process up. */
const resolution = 100;

/** The minimum time that a reading covers, in milliseconds, once the process has run for that long. */
const span = 60_000;

/** A monitor of the lag of the event loop. Right after a reset, it may miss a lag. */
export interface LagMonitor {
  /** Returns the longest lag after the last reset, in milliseconds. */
  longest(): number;
  reset(): void;
  stop(): void;
}

/**
 * Shows the longest lag of the event loop within the last one to two minutes; within more, if metrics are collected less often.
 *
 * @param instruments Where to show it.
 * @param start Starts a monitor. Default: one of Node.
 * @returns A function that ends it.
 */
export function observeEventLoopLag(
  { eventLoopLag }: Pick<Instruments, 'eventLoopLag'>,
  clock: Pick<Clock, 'monotonic'>,
  start: () => LagMonitor = startMonitor,
): () => void {
  // Two that are set back in turn, so that one of them always has seen the last minute.
  let [older, younger] = [start(), start()];
  let youngerSince = clock.monotonic();
  const stop = eventLoopLag.observe(() => {
    const lag = older.longest();
    if (clock.monotonic() - youngerSince >= span) {
      older.reset();
      [older, younger] = [younger, older];
      youngerSince = clock.monotonic();
    }
    return [[{}, lag / 1000]];
  });
  return () => {
    stop();
    older.stop();
    younger.stop();
  };
}

function startMonitor(): LagMonitor {
  const monitor = monitorEventLoopDelay({ resolution });
  monitor.enable();
  return {
    // In nanoseconds, from one look to the next.
    longest: () => Math.max(0, monitor.max / 1e6 - resolution),
    reset: () => monitor.reset(),
    stop: () => void monitor.disable(),
  };
}
