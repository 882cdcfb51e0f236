import type { GroupKind } from '@policy-machinery/resource';

/** A kind to watch. */
export interface WatchedKind extends GroupKind {
  /** Versions that you can read, best first: the first one that the API server serves is watched. */
  readonly versions: readonly string[];
  /** Whether the metadata is enough: specs and statuses are then neither sent nor kept. Default: `false`. */
  readonly metadataOnly?: boolean;
}
