import { setMaxListeners } from 'node:events';
import { type GroupKind, groupKindKey, type KubernetesObject } from '@policy-machinery/resource';
import type { ApiResource } from '../discovery/api-resource.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import type { Transport } from '../transport/transport.ts';
import { ChangesQueue, type SourceChanges } from './changes-queue.ts';
import type { SourceObserver } from './kind-handlers.ts';
import { fiveMinutes } from './relist-after.ts';
import { createKindResolver } from './resolve-kind.ts';
import { Source } from './source.ts';
import { isSettled, type SourceState } from './source-state.ts';
import { createWatchListSupport } from './watch-list-support.ts';
import type { WatchedKind } from './watched-kind.ts';

/** How to watch. */
export interface SourcesOptions {
  /** Ends all watches and the iteration. Default: `close` alone does. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** Returns numbers from 0 up to 1, for delays. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /**
   * How old the list of a kind may be when a watch ends, in milliseconds; if it is older, all objects are read again, so that nothing that was
   * missed stays missed. Watches last 5 to 10 minutes. Default: 5 minutes, so that each kind is read every 5 to 10 minutes.
   */
  readonly relistAfter?: number | undefined;
  /** Receives events of the sources, for logs and metrics. Default: none. */
  readonly observer?: SourceObserver | undefined;
}

/**
 * The objects of some kinds, kept up to date. Iterate over the sources once to receive the changes. Changes that happen meanwhile are passed on
 * together.
 */
export interface Sources extends AsyncIterable<SourceChanges>, AsyncDisposable {
  /** Returns an object by its locator. */
  get(locator: string): KubernetesObject | undefined;
  /** Returns all objects of a kind. */
  objects(kind: GroupKind): Iterable<KubernetesObject>;
  /** Returns how many objects of a kind there are. */
  count(kind: GroupKind): number;
  /** Returns how a kind is served; `undefined` as long as that is not known. */
  resourceOf(kind: GroupKind): ApiResource | undefined;
  /** The state of each source, by `groupKindKey` of its kind. */
  readonly states: ReadonlyMap<string, SourceState>;
  /** Whether all objects of all kinds are known, or known to be absent. Before that, no conclusion is safe. */
  readonly isSettled: boolean;
  /**
   * Takes an object from the answer to a request: it counts as if a watch had brought it, unless the store has a newer one, or none.
   *
   * @param body The answer. It may be changed. Ignored if it is not an object.
   */
  writeBack(kind: GroupKind, body: unknown): void;
  /** Ends all watches and the iteration. */
  close(): void;
}

/**
 * Watches some kinds. Each kind has its own watch, which survives failures of the connection and the API server. A failure never
 * removes an object.
 *
 * @param transport The connection.
 * @param kinds The kinds, without duplicates.
 * @param options How to watch.
 * @returns The objects and their changes. Never throws: failures appear in the states.
 * @example
 * ```ts
 * const sources = createSources(connection, [{ group: '', kind: 'Service', versions: ['v1'] }]);
 * for await (const { upsert, remove, states } of sources) {
 *   topology.apply({ upsert, remove });
 *   if (sources.isSettled) plan();
 * }
 * ```
 */
export function createSources(
  transport: Transport,
  kinds: readonly WatchedKind[],
  options: SourcesOptions = {},
): Sources {
  const { clock = systemClock, random = Math.random, observer = {}, signal: outer } = options;
  const closing = new AbortController();
  const signal = outer === undefined ? closing.signal : AbortSignal.any([outer, closing.signal]);
  setMaxListeners(0, signal); // Each source listens.
  const sources = new Map<string, Source>();
  const states = new Map<string, SourceState>();
  const get = (locator: string) => sources.get(locator.slice(0, locator.indexOf(':')))?.get(locator);
  const queue = new ChangesQueue(get);
  signal.addEventListener('abort', () => queue.close(), { once: true });
  const onChange = (locator: string, was: KubernetesObject | undefined) => queue.addChange(locator, was);
  for (const kind of kinds) sources.set(groupKindKey(kind), new Source(kind, onChange));
  const resolver = createKindResolver(transport, clock, signal);
  const watchLists = createWatchListSupport(clock);
  const { relistAfter = fiveMinutes } = options;
  const context = { transport, resolver, watchLists, clock, random, observer, signal, relistAfter };
  const runs = Array.from(sources, ([key, source]) => {
    return source.run(context, (state) => {
      states.set(key, state);
      queue.addState(key, state);
    });
  });
  return {
    get,
    objects: (kind) => sources.get(groupKindKey(kind))?.objects() ?? [],
    count: (kind) => sources.get(groupKindKey(kind))?.size ?? 0,
    resourceOf: (kind) => sources.get(groupKindKey(kind))?.resource,
    states,
    get isSettled() {
      return [...states.values()].every(isSettled);
    },
    writeBack: (kind, body) => sources.get(groupKindKey(kind))?.writeBack(body, observer),
    close: () => closing.abort(),
    [Symbol.asyncIterator]: () => queue,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(runs);
    },
  };
}
