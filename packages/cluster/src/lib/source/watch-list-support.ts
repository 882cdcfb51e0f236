import type { Clock } from '../time/clock.ts';

/** Whether an API server can send all objects at the beginning of a watch. Sources of one server share this knowledge. */
export interface WatchListSupport {
  isSupported(): boolean;
  /** Records that the server cannot. After ten minutes it is asked again, because servers are upgraded. */
  refuse(): void;
}

const askAgainAfter = 600_000;

/** Returns the support of a new server, which is assumed. */
export function createWatchListSupport(clock: Clock): WatchListSupport {
  let refusedAt: number | undefined;
  return {
    isSupported: () => refusedAt === undefined || clock.monotonic() - refusedAt >= askAgainAfter,
    refuse: () => {
      refusedAt = clock.monotonic();
    },
  };
}
