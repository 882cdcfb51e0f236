import type { GroupKind, KubernetesObject, ObjectFault } from '@policy-machinery/resource';
import type { ApiResource } from '../discovery/api-resource.ts';
import type { SourceState } from './source-state.ts';
import type { WatchEvent } from './watch-event.ts';

/** The properties of a complete list. */
export interface ListInfo {
  readonly resourceVersion: string | undefined;
  /** Whether the history of the API server was set back, so that the list wins over objects that look newer. */
  readonly isRewound: boolean;
}

/** Callbacks for the objects of a kind. */
export interface KindHandlers {
  /** Called with a complete list: objects that are not in the list are deleted. */
  onReplace(objects: readonly KubernetesObject[], info: ListInfo): void;
  /** Takes an object that is new or was changed. */
  onUpsert(object: KubernetesObject): void;
  /** Takes the last version of an object that was deleted. */
  onRemove(object: KubernetesObject): void;
  /** Takes how the kind is served, each time that this was looked up. */
  onResource(resource: ApiResource): void;
  /** Takes the state of the source, each time that it changes. */
  onState(state: SourceState): void;
}

/**
 * Why all objects of a kind are read:
 *
 * - `start`: none is known yet.
 * - `expired`: the API server has compacted the changes after the known version.
 * - `too-large`: the API server does not know the known version.
 * - `served-again`: the kind was not served for some time.
 * - `failed`: a watch cannot be read.
 * - `outage`: the API server did not answer for some time, and may have been set back.
 * - `periodic`: the last list is old.
 */
export type RelistReason = 'start' | 'expired' | 'too-large' | 'served-again' | 'failed' | 'outage' | 'periodic';

/** Callbacks for events of sources, for logs and metrics. All are optional. */
export interface SourceObserver {
  /** Takes an event of a watch. */
  onWatchEvent?(kind: GroupKind, type: WatchEvent['type']): void;
  /** Called before all objects are read. */
  onRelist?(kind: GroupKind, reason: RelistReason): void;
  /** Takes a failure, and the time until the next attempt in milliseconds. */
  onFailure?(kind: GroupKind, error: unknown, retryIn: number): void;
  /** Takes an object that is not a Kubernetes object, and why. Sources leave it out. */
  onMalformed?(kind: GroupKind, object: unknown, faults: readonly ObjectFault[]): void;
}
