import { formatGroupKind, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';
import { type ApiResource, collectionPath } from '../discovery/api-resource.ts';
import { type Backoff, createBackoff } from '../time/backoff.ts';
import { type Clock, sleep } from '../time/clock.ts';
import { StatusError } from '../transport/status-error.ts';
import { type Transport, TransportError } from '../transport/transport.ts';
import { Absence } from './absence.ts';
import { Contact } from './contact.ts';
import { faultOf, hintOf, isNoWatchList, isUnreadable, type SourceFault, tooLarge } from './fault.ts';
import { followWatch } from './follow-watch.ts';
import type { KindHandlers, RelistReason, SourceObserver } from './kind-handlers.ts';
import { acceptHeaders, readObject } from './object-reader.ts';
import { PageLimit } from './page-limit.ts';
import { PhaseKeeper } from './phase-keeper.ts';
import { readList } from './read-list.ts';
import { type Activity, recoveryOf } from './recovery.ts';
import type { KindResolver } from './resolve-kind.ts';
import { isOlder } from './resource-version.ts';
import { endsInitialEvents, resourceVersionIn, type WatchEvent } from './watch-event.ts';
import type { WatchListSupport } from './watch-list-support.ts';
import {
  longSilence,
  shortestWatch,
  silenceAfterBookmark,
  silenceInWatchList,
  watchQuery,
  watchTimeout,
} from './watch-query.ts';
import { selectorQuery, type WatchedKind } from './watched-kind.ts';

export interface ReflectorContext {
  readonly transport: Transport;
  readonly resolver: KindResolver;
  readonly watchLists: WatchListSupport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly observer: SourceObserver;
  readonly signal: AbortSignal;
  /** How old the last list may be when a watch ends, in milliseconds. If it is older, all objects are read again. */
  readonly relistAfter: number;
  /** The namespace to read; `undefined` for all. */
  readonly namespace?: string | undefined;
}

/** The delays of client-go's reflector, in milliseconds. */
const backoffOptions = { first: 800, cap: 30_000, resetAfter: 120_000 };

/** The delays after refusals, which people must mend. */
const longBackoffOptions = { first: 5000, cap: 60_000, resetAfter: 120_000 };

/** How often to look whether an absent kind is served now. */
const absencePoll = 30_000;

/** Absent kinds share an answer up to this age in milliseconds, so that one request looks for all of them, and few prove their absence. */
const [sharedPoll, sharedProof] = [20_000, 500];

/** Follows one kind: locates it, lists it, watches it, and recovers from whatever fails. */
export class Reflector {
  readonly #kind: WatchedKind;
  readonly #handlers: KindHandlers;
  readonly #context: ReflectorContext;
  readonly #phase: PhaseKeeper;
  readonly #backoff: Backoff;
  readonly #longBackoff: Backoff;
  readonly #absence: Absence;
  readonly #contact: Contact;
  readonly #limit = new PageLimit();
  #activity: Activity = 'locating';
  #resource: ApiResource | undefined;
  /** All changes up to this version are known; `''` before the first list. */
  #version = '';
  /** Why all objects must be read, if they must. */
  #relist: RelistReason | undefined = 'start';
  /** Whether only the newest list will do. */
  #newest = false;
  /** Whether the server has agreed to the watch. */
  #isOpen = false;
  /** The last watch could not be read after this version. */
  #unreadableAfter: string | undefined;
  /** The last failure after a watch has brought anything. */
  #lastFault: SourceFault | undefined;
  /** When all objects were read, by the monotonic clock. */
  #listedAt = 0;
  /** Whether the server sends bookmarks. */
  #hasBookmarks = false;

  constructor(kind: WatchedKind, handlers: KindHandlers, context: ReflectorContext) {
    const { clock, random } = context;
    this.#kind = kind;
    this.#handlers = handlers;
    this.#context = context;
    this.#phase = new PhaseKeeper(clock, (state) => handlers.onState(state));
    this.#absence = new Absence(clock);
    this.#contact = new Contact(clock);
    this.#backoff = createBackoff(backoffOptions, clock, random);
    this.#longBackoff = createBackoff(longBackoffOptions, clock, random);
  }

  /** Follows the kind until the signal aborts. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#context;
    while (!signal.aborted) {
      try {
        await this.#step();
      } catch (error) {
        if (!signal.aborted) await this.#recover(error);
      }
    }
  }

  async #step(): Promise<void> {
    const { observer, watchLists } = this.#context;
    this.#isOpen = false;
    this.#resource ??= await this.#locate();
    const resource = this.#resource;
    if (resource === undefined) return;
    if (this.#version !== '' && this.#contact.wasLost) this.#relist ??= 'outage';
    if (this.#relist !== undefined) observer.onRelist?.(this.#kind, this.#relist);
    if (this.#relist !== undefined && !watchLists.isSupported()) await this.#list(resource);
    await this.#watch(resource);
  }

  async #locate(): Promise<ApiResource | undefined> {
    this.#activity = 'locating';
    const maxAge = this.#phase.phase === 'absent' ? sharedPoll : this.#absence.isSuspected ? sharedProof : 0;
    const resource = await this.#context.resolver.resolve(this.#kind, maxAge);
    if (resource === undefined) {
      await this.#takeDenial();
      return undefined;
    }
    this.#absence.serve();
    this.#handlers.onResource(resource);
    return resource;
  }

  /** Records that a healthy API server does not serve the kind. */
  async #takeDenial(): Promise<void> {
    const { clock, random, signal } = this.#context;
    const { phase } = this.#phase;
    if (phase === 'absent') {
      this.#phase.succeed('absent'); // Earlier failures are over.
      return sleep(clock, absencePoll * (0.8 + 0.4 * random()), signal);
    }
    const retryIn = this.#absence.deny(phase);
    if (retryIn === 0) {
      this.#handlers.onReplace([], { resourceVersion: undefined, isRewound: true });
      this.#version = '';
      this.#relist = 'start';
      return this.#phase.succeed('absent');
    }
    const absence = new Error(`the API server does not serve ${formatGroupKind(this.#kind)}`);
    this.#phase.fail(absence, '; install its CustomResourceDefinition', false);
    await sleep(clock, retryIn, signal);
  }

  async #list(resource: ApiResource): Promise<void> {
    this.#activity = 'listing';
    const { transport, clock, signal } = this.#context;
    const resourceVersion = this.#newest ? '' : this.#version || '0';
    const headers = acceptHeaders(this.#kind, 'list');
    const [path, query] = [this.#pathOf(resource), selectorQuery(this.#kind)];
    const limit = this.#limit;
    const list = await readList({ transport, path, query, headers, resourceVersion, clock, signal, limit });
    const objects = list.items.flatMap((item) => this.#read(item, resource) ?? []);
    this.#replace(objects, list.resourceVersion, resourceVersion);
  }

  /** Watches until the server ends the watch. If all objects must be read, the server sends them first. */
  async #watch(resource: ApiResource): Promise<void> {
    const { transport, clock, random, signal, observer, watchLists, relistAfter } = this.#context;
    const asked = this.#newest ? '' : this.#version;
    let collected: Map<string, KubernetesObject> | undefined = this.#relist === undefined ? undefined : new Map();
    this.#activity = collected === undefined ? 'watching' : 'watch-listing';
    const timeout = watchTimeout(random);
    const path = this.#pathOf(resource);
    const query = { ...selectorQuery(this.#kind), ...watchQuery(asked, timeout, collected !== undefined) };
    const request = { method: 'GET', path, query, headers: acceptHeaders(this.#kind, 'object') };
    const startedAt = clock.monotonic();
    let isEmpty = true;

    const onEvent = ({ type, object }: WatchEvent): void => {
      isEmpty = false;
      this.#contact.renew();
      observer.onWatchEvent?.(this.#kind, type);
      this.#hasBookmarks ||= type === 'BOOKMARK';
      if (collected === undefined) {
        this.#take(type, object, resource);
      } else if (type !== 'BOOKMARK') {
        this.#collect(collected, type, object, resource);
      } else if (endsInitialEvents(object)) {
        this.#replace(collected.values(), resourceVersionIn(object) ?? '', asked);
        this.#activity = 'watching';
        collected = undefined;
      }
    };
    const silence = () => {
      if (collected !== undefined) return silenceInWatchList;
      return this.#hasBookmarks ? silenceAfterBookmark : longSilence(timeout);
    };
    await followWatch({ transport, request, clock, signal, onOpen: () => this.#open(path), onEvent, silence });
    this.#contact.renew();
    if (collected !== undefined) return watchLists.refuse();
    if (clock.monotonic() - this.#listedAt >= relistAfter) this.#relist = 'periodic';
    if (isEmpty && clock.monotonic() - startedAt < shortestWatch) {
      throw new TransportError('ECONNRESET', `GET ${path}: the watch ended at once, without an event`);
    }
  }

  /** Records that the server has agreed to a watch. */
  #open(path: string): void {
    this.#isOpen = true;
    const isReading = this.#activity === 'watch-listing';
    if (!isReading && this.#contact.wasLost) {
      const what = `GET ${path}: no answer for a while, so the objects are listed again`;
      throw new TransportError('ETIMEDOUT', what);
    }
    this.#contact.open();
    if (!isReading) this.#phase.open();
  }

  #hint(error: unknown): string {
    const { group } = this.#kind;
    return hintOf(error, { group, resource: this.#resource?.resource, namespace: this.#context.namespace });
  }

  #pathOf(resource: ApiResource): string {
    const { namespace } = this.#context;
    if (namespace === undefined || resource.namespaced) return collectionPath(resource, namespace);
    throw new Error(`${formatGroupKind(this.#kind)} is cluster-scoped; leave out its namespaces`);
  }

  #take(type: WatchEvent['type'], item: JsonObject, resource: ApiResource): void {
    const version = resourceVersionIn(item) ?? this.#version;
    // A watch continues from the requested version, unless the server lags behind it.
    if (isOlder(version, this.#version)) throw tooLarge(`the watch is at ${version}, but ${this.#version} is known`);
    this.#phase.progress();
    this.#lastFault = undefined;
    const object = type === 'BOOKMARK' ? undefined : this.#read(item, resource);
    if (object !== undefined) {
      if (type === 'DELETED') this.#handlers.onRemove(object);
      else this.#handlers.onUpsert(object);
    }
    this.#version = version;
  }

  #collect(into: Map<string, KubernetesObject>, type: WatchEvent['type'], item: JsonObject, of: ApiResource): void {
    const object = this.#read(item, of);
    if (object === undefined) return;
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    if (type === 'DELETED') into.delete(key);
    else into.set(key, object);
  }

  #read(item: JsonObject, resource: ApiResource): KubernetesObject | undefined {
    return readObject(item, this.#kind, resource, this.#context.observer);
  }

  /**
   * Takes a complete list. A list that is older than the known version is refused, unless the newest was requested: then the server was
   * restored from a backup.
   */
  #replace(objects: Iterable<KubernetesObject>, resourceVersion: string, asked: string): void {
    const isOld = isOlder(resourceVersion, this.#version);
    if (isOld && asked !== '') throw tooLarge(`the list is of ${resourceVersion}, but ${this.#version} is known`);
    this.#handlers.onReplace([...objects], { resourceVersion, isRewound: isOld });
    this.#version = resourceVersion;
    this.#relist = undefined;
    this.#newest = false;
    this.#unreadableAfter = undefined;
    this.#listedAt = this.#context.clock.monotonic();
    this.#contact.renew();
    this.#phase.succeed('synced');
  }

  async #recover(error: unknown): Promise<void> {
    const { clock, signal, observer, watchLists } = this.#context;
    const { mayBeStarting } = this.#contact;
    const activity = this.#activity;
    if (activity === 'watch-listing' && isNoWatchList(error, this.#isOpen)) return watchLists.refuse();
    const fault = faultOf(error);
    const cannotRead = activity === 'watching' && (fault === 'too-large' || (this.#isOpen && isUnreadable(error)));
    const isStuck = cannotRead && this.#unreadableAfter === this.#version;
    this.#unreadableAfter = cannotRead ? this.#version : undefined;
    const isFollowing = activity === 'watching' || this.#relist === 'periodic';
    const isBreak = isFollowing && (this.#isOpen || fault === 'expired');
    if (this.#isOpen && this.#contact.break(error)) this.#backoff.reset();
    this.#phase.fail(error, this.#hint(error), isBreak);

    const { next, reason = 'failed', newest = false, wait } = recoveryOf(activity, fault, isStuck);
    if (next === 'locate') this.#resource = undefined;
    if (next === 'relist' || (next === 'locate' && this.#version !== '')) this.#relist ??= reason;
    this.#newest ||= newest;
    const isFree = wait === 'once' && this.#lastFault !== fault;
    this.#lastFault = fault;
    const delay = isFree ? 0 : (wait === 'long' ? this.#longBackoff : this.#backoff).next();
    const retryIn = Math.max(delay, error instanceof StatusError ? (error.retryAfter ?? 0) : 0);
    observer.onFailure?.(this.#kind, error, retryIn);
    if (retryIn > 0) await sleep(clock, retryIn, signal);
    if (fault === 'throttled' && !mayBeStarting) this.#contact.renew(); // An API server that is busy is not asked for more than before.
  }
}
