import type { Clock } from '../time/clock.ts';

/** Whether an API server can send all objects as the beginning of a watch. Sources of one server share what they learn. */
export interface WatchListSupport {
  isSupported(): boolean;
  /** Takes that the server cannot. It is asked again after ten minutes, since servers are upgraded. */
  refuse(): void;
}

const askAgainAfter = 600_000;

/** Returns what is known about a new server: that it can. */
export function createWatchListSupport(clock: Clock): WatchListSupport {
  let refusedAt: number | undefined;
  return {
    isSupported: () => refusedAt === undefined || clock.monotonic() - refusedAt >= askAgainAfter,
    refuse: () => {
      refusedAt = clock.monotonic();
    },
  };
}
