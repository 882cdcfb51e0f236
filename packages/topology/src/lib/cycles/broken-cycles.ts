import type { RefusedReference } from '../model/dangling-references.ts';
import type { Target } from '../targets/target.ts';

/** Links that have given way, and where. */
export interface BrokenLoops {
  /** From above to beneath. */
  readonly dropped: Map<Target, Set<Target>>;
  readonly refused: readonly RefusedReference[];
  /** The whole resources that are in loops, but for what was dropped. */
  readonly tangled: ReadonlySet<Target>;
}

/** Returns what is broken where nothing is. */
export function noLoops(): BrokenLoops {
  return { dropped: new Map(), refused: [], tangled: new Set() };
}
