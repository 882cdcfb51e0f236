import type { RefusedReference } from '../model/dangling-references.ts';
import type { Target } from '../targets/target.ts';

/** Links that have given way, and where. */
export interface BrokenCycles {
  /** From above to below. */
  readonly dropped: Map<Target, Set<Target>>;
  readonly refused: readonly RefusedReference[];
  /** The whole resources that are in cycles, but for what was dropped. */
  readonly members: ReadonlySet<Target>;
}

/** Returns what is broken where nothing is. */
export function noCycles(): BrokenCycles {
  return { dropped: new Map(), refused: [], members: new Set() };
}
