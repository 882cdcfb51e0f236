import { type Clock, systemClock } from '../time/clock.ts';
import type { Transport } from '../transport/transport.ts';
import type { KindHandlers, SourceObserver } from './kind-handlers.ts';
import { Reflector } from './reflector.ts';
import { createKindResolver } from './resolve-kind.ts';
import { createWatchListSupport } from './watch-list-support.ts';
import type { WatchedKind } from './watched-kind.ts';

/** How to watch a kind. */
export interface WatchKindOptions {
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Returns numbers from 0 up to 1, for delays. Default: `Math.random`. */
  readonly random?: () => number;
  /** Takes what happens inside, for logs and metrics. Default: nothing. */
  readonly observer?: SourceObserver;
}

/**
 * Watches one kind and hands over what arrives, for a store of your own. `createSources` does more: it keeps the objects, and
 * leaves out events that are older than what is known.
 *
 * @param transport The connection.
 * @param kind The kind.
 * @param handlers What to do with what arrives. They may not throw.
 * @param options How to watch.
 * @returns A promise that resolves when the signal aborts. Never rejects: what goes wrong is in the states.
 */
export function watchKind(
  transport: Transport,
  kind: WatchedKind,
  handlers: KindHandlers,
  options: WatchKindOptions,
): Promise<void> {
  const { signal, clock = systemClock, random = Math.random, observer = {} } = options;
  const resolver = createKindResolver(transport, clock, signal);
  const watchLists = createWatchListSupport(clock);
  return new Reflector(kind, handlers, { transport, resolver, watchLists, clock, random, observer, signal }).run();
}
