import { type Clock, systemClock } from '../time/clock.ts';
import type { Transport } from '../transport/transport.ts';
import type { KindHandlers, SourceObserver } from './kind-handlers.ts';
import { Reflector } from './reflector.ts';
import { fiveMinutes } from './relist-after.ts';
import { createKindResolver } from './resolve-kind.ts';
import { createWatchListSupport } from './watch-list-support.ts';
import type { WatchedKind } from './watched-kind.ts';

/** How to watch a kind. */
export interface WatchKindOptions {
  /** Only objects in this namespace. Default: those in all namespaces. */
  readonly namespace?: string | undefined;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** Returns numbers from 0 up to 1, for delays. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** As for `createSources`. Default: 5 minutes. */
  readonly relistAfter?: number | undefined;
  /** Receives events of the sources, for logs and metrics. Default: none. */
  readonly observer?: SourceObserver | undefined;
}

/**
 * Watches one kind and passes the objects on, for your own store. `createSources` does more: it keeps the objects, and leaves out
 * events that are older than the known objects.
 *
 * @param transport The connection.
 * @param handlers The callbacks. They must not throw.
 * @param options How to watch.
 * @returns A promise that resolves when the signal aborts. Never rejects: failures appear in the states.
 */
export function watchKind(
  transport: Transport,
  kind: Omit<WatchedKind, 'namespaces'>,
  handlers: KindHandlers,
  options: WatchKindOptions,
): Promise<void> {
  const {
    signal,
    clock = systemClock,
    random = Math.random,
    observer = {},
    relistAfter = fiveMinutes,
    namespace,
  } = options;
  const resolver = createKindResolver(transport, clock, signal);
  const watchLists = createWatchListSupport(clock);
  const context = { transport, resolver, watchLists, clock, random, observer, signal, relistAfter, namespace };
  return new Reflector(kind, handlers, context).run();
}
