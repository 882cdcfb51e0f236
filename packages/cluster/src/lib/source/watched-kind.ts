import type { GroupKind } from '@policy-machinery/resource';

/** A kind to watch, and which of its objects. */
export interface WatchedKind extends GroupKind {
  /** Versions that you can read, best first: the first one that the API server serves is watched. */
  readonly versions: readonly string[];
  /** Whether the metadata is enough: specs and statuses are then neither sent nor kept. Default: `false`. */
  readonly metadataOnly?: boolean;
  /** Only objects with these labels: `app=shop,tier!=gold`. An object that no longer matches counts as deleted. Default: all objects. */
  readonly labelSelector?: string;
  /** Only objects with these fields: `type=kubernetes.io/tls`. Default: all objects. */
  readonly fieldSelector?: string;
  /**
   * Only objects in these namespaces, which must not be empty. Each namespace has its own watch, so that a Role in each is enough. Kinds of
   * cluster-scoped objects cannot be read in this way. Default: objects in all namespaces.
   */
  readonly namespaces?: readonly string[];
}

/** Returns the parameters of a request that select the objects of a kind. */
export function selectorQuery({ labelSelector, fieldSelector }: WatchedKind): Readonly<Record<string, string>> {
  return {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}
