import {
  formatGroupKind,
  type GroupKind,
  type Issue,
  type ObjectLike,
  PolicyMachineryError,
  plainObject,
  type TypeMeta,
} from '@policy-machinery/resource';
import type { Topology } from '../model/topology.ts';
import type { TopologyChange, TopologyDelta } from '../model/topology-change.ts';

/** The used part of the informers of `@kubernetes/client-node`. */
export interface InformerLike<T extends ObjectLike> {
  /** Calls a function with each object that is added, updated or deleted. */
  on(verb: 'add' | 'update' | 'delete', callback: (object: T) => void): void;
  /** Calls a function with each error. */
  on(verb: 'error', callback: (error?: unknown) => void): void;
  /** Ends the calls of a function. */
  off(verb: 'add' | 'update' | 'delete', callback: (object: T) => void): void;
  /** Ends the calls of a function with errors. */
  off(verb: 'error', callback: (error?: unknown) => void): void;
  /** Lists and watches. Also resolves after an error. */
  start(): Promise<void>;
  /** Returns the objects that the informer has. */
  list(): Iterable<T>;
}

/** Callbacks of a feed. All are optional. */
export interface FeedOptions {
  /** Takes the effects of each event. */
  readonly onDelta?: ((delta: TopologyDelta) => void) | undefined;
  /** Takes why the topology refuses an object. The last good version of the object stays. */
  readonly onRefused?: ((error: PolicyMachineryError, object: ObjectLike) => void) | undefined;
}

/** A topology that follows an informer. */
export interface InformerFeed {
  /** The objects that the topology refuses in their present version. */
  readonly issues: readonly Issue[];
  /**
   * Starts the informer, at first and after each error. Once the informer has listed the objects, the topology removes other objects of the kind, and
   * the kind is no longer one of the topology's `unlistedKinds`.
   *
   * @returns A promise of whether the objects are listed; `false` after an error, which the informer reports.
   */
  start(): Promise<boolean>;
  /** Stops following the informer. The objects in the topology stay. */
  stop(): void;
}

/**
 * Keeps a topology up to date with the objects that an informer of `@kubernetes/client-node` adds, updates and deletes.
 *
 * Each event has its effect at once. Objects of the kind that the topology holds from before stay until the informer has listed all objects, so a list
 * that is empty or incomplete removes nothing. An informer stops at an error; start the feed again. Until then, the topology shows the former objects.
 *
 * @param informer The informer, before it is started.
 * @param kind The kind of its objects, one of the topology's. Items of typed lists do not say it.
 * @param options The functions to call.
 * @returns The feed.
 * @throws {PolicyMachineryError} `unknown-kind` if the topology does not need the kind.
 * @example
 * ```ts
 * const informer = makeInformer(config, '/api/v1/services', () => core.listServiceForAllNamespaces());
 * const feed = feedInformer(topology, informer, { group: '', kind: 'Service' });
 * informer.on('error', () => setTimeout(() => feed.start(), 5000));
 * await feed.start();
 * ```
 */
export function feedInformer<T extends ObjectLike>(
  topology: Topology,
  informer: InformerLike<T>,
  kind: GroupKind,
  { onDelta, onRefused }: FeedOptions = {},
): InformerFeed {
  const type = typeOf(kind, topology);
  const refused = new Map<string, readonly Issue[]>();
  const lastGood = new Map<string, T>();
  topology.replaceInSlices(kind, []); // From now on, kinds are listed.
  const take = (object: T, changeOf: (plain: ObjectLike) => TopologyChange): void => {
    const key = keyOf(object);
    const delta = deltaOrError(() => topology.apply(changeOf(plainObject(object, type))));
    if (delta instanceof PolicyMachineryError) {
      refused.set(key, delta.issues);
      onRefused?.(delta, object);
    } else {
      refused.delete(key);
      lastGood.set(key, object);
      onDelta?.(delta);
    }
  };
  const upsert = (object: T): void => take(object, (plain) => ({ upsert: [plain] }));
  const remove = (object: T): void => {
    take(object, (plain) => ({ remove: [plain] }));
    lastGood.delete(keyOf(object));
  };
  const replace = (): void => {
    for (const object of informer.list()) if (!lastGood.has(keyOf(object))) upsert(object);
    const kept = [...refused.keys()].flatMap((key) => (lastGood.has(key) ? [] : (heldBy(topology, kind, key) ?? [])));
    const good = Array.from(lastGood.values(), (object) => plainObject(object, type));
    const delta = topology.replace(kind, [...good, ...kept]);
    onDelta?.(delta);
  };
  const stop = connect(informer, upsert, remove);
  return {
    get issues() {
      return [...refused.values()].flat();
    },
    start: () => startInformer(informer, replace),
    stop,
  };
}

/** Connects functions to an informer. Returns a function that disconnects them. */
function connect<T extends ObjectLike>(
  informer: InformerLike<T>,
  upsert: (object: T) => void,
  remove: (object: T) => void,
): () => void {
  const callbacks = [['add', upsert] as const, ['update', upsert] as const, ['delete', remove] as const];
  for (const [verb, callback] of callbacks) informer.on(verb, callback);
  return () => {
    for (const [verb, callback] of callbacks) informer.off(verb, callback);
  };
}

/** Starts an informer, and calls a function if it has reported no error. */
async function startInformer<T extends ObjectLike>(informer: InformerLike<T>, replace: () => void): Promise<boolean> {
  let hasFailed = false;
  const onError = (): void => {
    hasFailed = true;
  };
  informer.on('error', onError);
  await informer.start();
  informer.off('error', onError);
  if (!hasFailed) replace();
  return !hasFailed;
}

/** Returns the version of an object that a topology holds. */
function heldBy(topology: Topology, { group, kind }: GroupKind, key: string): ObjectLike | undefined {
  const [namespace = '', name = ''] = key.split('/');
  const ref = { group, kind, name, ...(namespace === '' ? {} : { namespace }) };
  return (topology.policy(ref) ?? topology.get(ref))?.resource;
}

function keyOf({ metadata }: ObjectLike): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

function deltaOrError(apply: () => TopologyDelta): TopologyDelta | PolicyMachineryError {
  try {
    return apply();
  } catch (error) {
    if (error instanceof PolicyMachineryError) return error;
    throw error;
  }
}

function typeOf(kind: GroupKind, topology: Topology): TypeMeta {
  const requiredKind = topology.requiredKinds.find((it) => it.group === kind.group && it.kind === kind.kind);
  if (requiredKind === undefined) {
    const message = `The topology does not need ${formatGroupKind(kind)}; pass one of its requiredKinds`;
    throw new PolicyMachineryError('unknown-kind', message);
  }
  const { group, versions } = requiredKind;
  return { apiVersion: [group, versions[0]].filter((part) => part !== '').join('/'), kind: kind.kind };
}
