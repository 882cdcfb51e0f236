import type { Reference, Refusal } from './reference.ts';
import type { TargetNode } from './target-node.ts';

/** One reference of a target, with its ends. */
export interface ResolvedReference {
  readonly reference: Reference;
  /** The targets and sections that it leads to. */
  readonly ends: readonly TargetNode[];
  /** The locator of a missing target, as in {@link UnresolvedReference}. */
  readonly missing: string | undefined;
  /** The targets and sections that do not admit the reference, or that no ReferenceGrant permits. */
  readonly refusals: readonly EndRefusal[];
}

/** An end that a reference does not reach. */
export interface EndRefusal extends Refusal {
  /** The locator of the end that refuses, or that no grant permits, whether the end exists or not. */
  readonly to: string;
}
