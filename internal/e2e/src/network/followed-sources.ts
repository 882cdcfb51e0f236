import {
  type ConnectOptions,
  connect,
  createSources,
  type RelistReason,
  type SourceState,
  type Sources,
  type SourcesOptions,
  type WatchedKind,
} from '@policy-machinery/cluster';
import { type GroupKind, groupKindKey } from '@policy-machinery/resource';

/** A failure of one kind. */
export interface Failure {
  /** The kind: `Widget`. */
  readonly kind: string;
  readonly message: string;
  /** The time until the next attempt, in milliseconds. */
  readonly retryIn: number;
}

/** Sources, with what has come from them and what has happened inside. The arrays may be emptied. */
export interface FollowedSources {
  readonly sources: Sources;
  /** Why all objects of a kind were read. */
  readonly relists: RelistReason[];
  readonly failures: Failure[];
  readonly malformed: unknown[];
  /** The names of the objects that were handed over as new or changed. */
  readonly changed: string[];
  /** The locators that were handed over as removed. */
  readonly removed: string[];
  /** Returns the names of a kind's objects, in order. */
  names(kind: GroupKind): readonly string[];
  /** Returns the state of a kind. */
  stateOf(kind: GroupKind): SourceState | undefined;
  /** Forgets what has come and happened so far. */
  forget(): void;
  close(): Promise<void>;
}

/**
 * Follows kinds.
 *
 * @param server How to reach the API server.
 * @param options As for `createSources`. Default: each delay is as long as it may be, and no list is too old.
 */
export async function followSources(
  server: ConnectOptions,
  kinds: readonly WatchedKind[],
  options: Pick<SourcesOptions, 'random' | 'relistAfter'> = {},
): Promise<FollowedSources> {
  const relists: RelistReason[] = [];
  const failures: Failure[] = [];
  const malformed: unknown[] = [];
  const changed: string[] = [];
  const removed: string[] = [];
  const connection = await connect(server);
  const sources = createSources(connection, kinds, {
    random: () => 0.99,
    relistAfter: Number.POSITIVE_INFINITY,
    ...options,
    observer: {
      onRelist: (_kind, reason) => void relists.push(reason),
      onFailure: ({ kind }, error, retryIn) => void failures.push({ kind, message: String(error), retryIn }),
      onMalformed: (_kind, object) => void malformed.push(object),
    },
  });
  const taking = (async () => {
    for await (const { upsert, remove } of sources) {
      changed.push(...upsert.map(({ metadata }) => metadata.name));
      removed.push(...remove);
    }
  })();
  return {
    sources,
    relists,
    failures,
    malformed,
    changed,
    removed,
    names: (kind) => [...sources.objects(kind)].map(({ metadata }) => metadata.name).sort(),
    stateOf: (kind) => sources.states.get(groupKindKey(kind)),
    forget() {
      for (const it of [relists, failures, malformed, changed, removed]) it.length = 0;
    },
    async close() {
      await sources[Symbol.asyncDispose]();
      await taking;
      connection.close();
    },
  };
}
