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

/** What is used of the informers of `@kubernetes/client-node`. */
export interface InformerLike<T extends ObjectLike> {
  /** Calls a function with each object that is added, updated or deleted. */
  on(verb: 'add' | 'update' | 'delete', callback: (object: T) => void): void;
  /** Ends the calls of a function. */
  off(verb: 'add' | 'update' | 'delete', callback: (object: T) => void): void;
}

/** Callbacks of a feed. All are optional. */
export interface FeedOptions {
  /** Takes the effects of each event. */
  readonly onDelta?: (delta: TopologyDelta) => void;
  /** Takes why the topology refuses an object. The last good version of the object stays. */
  readonly onRefused?: (error: PolicyMachineryError, object: ObjectLike) => void;
}

/** A topology that follows an informer. */
export interface InformerFeed {
  /** The objects that the topology refuses as they are now. */
  readonly issues: readonly Issue[];
  /** Stops following the informer. What the topology holds stays. */
  stop(): void;
}

/**
 * Keeps a topology up to date with an informer of `@kubernetes/client-node`: what is added, updated and deleted.
 *
 * The informer is yours: start it, wait for its first list, and start it again when it reports an error, since it stops then. Until it runs again, the
 * topology shows what was there before.
 *
 * @param topology The topology.
 * @param informer The informer, before it is started.
 * @param kind The kind of its objects, one of the topology's. Items of typed lists do not say it.
 * @param options What to call.
 * @returns The feed.
 * @throws {PolicyMachineryError} `unknown-kind` if the topology does not need the kind.
 * @example
 * ```ts
 * const informer = makeInformer(config, '/api/v1/services', () => core.listServiceForAllNamespaces());
 * feedInformer(topology, informer, { group: '', kind: 'Service' });
 * informer.on('error', () => setTimeout(() => informer.start(), 5000));
 * await informer.start();
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
  const take = (object: T, changeOf: (plain: ObjectLike) => TopologyChange): void => {
    const key = `${object.metadata?.namespace ?? ''}/${object.metadata?.name ?? ''}`;
    const delta = deltaOrError(() => topology.apply(changeOf(plainObject(object, type))));
    if (delta instanceof PolicyMachineryError) {
      refused.set(key, delta.issues);
      onRefused?.(delta, object);
    } else {
      refused.delete(key);
      onDelta?.(delta);
    }
  };
  const upsert = (object: T): void => take(object, (plain) => ({ upsert: [plain] }));
  const remove = (object: T): void => take(object, (plain) => ({ remove: [plain] }));
  informer.on('add', upsert);
  informer.on('update', upsert);
  informer.on('delete', remove);
  return {
    get issues() {
      return [...refused.values()].flat();
    },
    stop() {
      informer.off('add', upsert);
      informer.off('update', upsert);
      informer.off('delete', remove);
    },
  };
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
