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
  /** Whether it leads elsewhere if there are resources that the topology need not have been given, such as a missing target or a ReferenceGrant. */
  readonly isUndecided: boolean;
  /** The `ends` that may refuse the reference: a fact that decides is not known. Default: none. */
  readonly possibleRefusals?: readonly EndRefusal[];
}

/** An end that a reference does not reach. */
export interface EndRefusal extends Omit<Refusal, 'lacks'> {
  /** The locator of the end that refuses, or that no grant permits, whether the end exists or not. */
  readonly to: string;
  /** Whether it is not known that the end refuses, for lack of a resource that the topology need not have been given, or of another fact. */
  readonly isUndecided: boolean;
}

/** A reference to a target or section that the topology does not hold. It becomes a link when the target arrives. */
export interface UnresolvedReference {
  readonly from: TargetNode;
  readonly reference: Reference;
  /**
   * The locator of the missing target. It ends with `#?` if only the section is missing, and with `:?` if a selector finds no resource of the
   * kind.
   */
  readonly missing: string;
  /** Whether the target may exist: the topology is not complete for it. */
  readonly isUndecided: boolean;
}

/** A reference that makes no link, because its target does not admit it, or no ReferenceGrant permits it. */
export interface RefusedReference extends EndRefusal {
  readonly from: TargetNode;
  readonly reference: Reference;
}
