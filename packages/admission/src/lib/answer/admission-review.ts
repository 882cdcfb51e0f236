/** The review of a change. */
export interface AdmissionReview {
  /**
   * Warnings for the owner of the object, the worst first: the fields that a policy would lose and the policies that override it, which
   * other policies would lose something, how many targets the change alters, and which policies affect the object. There are at most five,
   * with at most 120 characters each, as Kubernetes recommends: long names lose their middle.
   */
  readonly warnings: readonly string[];
  /** Why a policy could be refused: it would conflict with another. Empty for other objects. */
  readonly conflicts: readonly string[];
}

/**
 * The subject of a warning:
 * - `overridden`: the fields that the policy itself would lose, and the policies that override it.
 * - `impact`: the effects on other policies and on many targets; the values that replace a deleted policy.
 * - `affected`: which policies affect the object.
 */
export type WarningSubject = 'overridden' | 'impact' | 'affected';

/** The contents of a review. */
export interface AdmissionReviewLimits {
  /** The subjects to warn of. Default: all. */
  readonly warn?: readonly WarningSubject[];
  /**
   * Which other policies and targets are named: those in the namespace of the object and those without a namespace (`own-namespace`, the
   * default), or `all`. The others are counted. The sender of a request reads the answer, and may not be allowed to read other namespaces.
   */
  readonly names?: 'own-namespace' | 'all';
  /**
   * With a trial: up to this number of contexts of one kind of policies, the effects of the change on other policies are listed. If a change
   * touches more contexts, a warning only reports that. Default 10,000.
   */
  readonly maxContexts?: number;
  /** From this number of targets on, a warning counts the effective policies that a change alters. Default: 10. */
  readonly manyTargets?: number;
}

/** How an object changes, and the contents of the review. */
export interface AdmissionReviewOptions extends AdmissionReviewLimits {
  /** The operation of the request: `DELETE` removes the object, others apply it. Default: it is applied. */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | undefined;
}

/** How a request is answered. */
export interface AdmissionAnswerOptions extends AdmissionReviewLimits {
  /** The changes to refuse: a policy that the request brings into conflict (`conflicts`, the default), or `nothing`. */
  readonly refuse?: 'conflicts' | 'nothing' | undefined;
}

/** Further warnings and refusals for a change. */
export interface FurtherReview {
  /** Warnings, which come before all others. */
  readonly warnings: readonly string[];
  /** Why the change is refused; empty if it is not. */
  readonly refusals: readonly Refusal[];
}

/** Why a change is refused, as a cause in the status of the response. */
export interface Refusal {
  /** A word for programs, such as `BrokenGuarantee`. */
  readonly reason: string;
  /** Sentences for people. */
  readonly message: string;
}
