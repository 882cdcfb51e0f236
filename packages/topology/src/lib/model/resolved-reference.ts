import type { Reference, Refusal } from './reference.ts';
import type { TargetNode } from './target-node.ts';

/** One reference of a target, and what has become of it. */
export interface ResolvedReference {
  readonly reference: Reference;
  /** The targets and sections that it leads to. */
  readonly ends: readonly TargetNode[];
  /** Locator of what it means and the topology does not hold, as in {@link UnresolvedReference}. */
  readonly missing: string | undefined;
  /** The targets and sections that do not admit it, or that no ReferenceGrant permits. */
  readonly refusals: readonly EndRefusal[];
}

/** One end that a reference does not reach. */
export interface EndRefusal extends Refusal {
  /** Locator of what refuses, or of what no grant permits, whether that exists or not. */
  readonly to: string;
}
