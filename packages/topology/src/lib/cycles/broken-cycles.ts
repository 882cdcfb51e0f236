import type { RefusedReference } from '../model/dangling-references.ts';
import type { Target } from '../targets/target.ts';

/** The links dropped to break cycles. */
export interface BrokenCycles {
  /** The dropped links, from above to below. */
  readonly dropped: Map<Target, Set<Target>>;
  readonly refused: readonly RefusedReference[];
  /** The whole resources that would be in cycles. */
  readonly members: ReadonlySet<Target>;
}

/** Returns the value for no dropped links. */
export function noCycles(): BrokenCycles {
  return { dropped: new Map(), refused: [], members: new Set() };
}
