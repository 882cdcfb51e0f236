/** The review of a change. */
export interface AdmissionReview {
  /**
   * Warnings for the owner of the object, the worst first: what a policy would not get and what overrides it, which other policies lose
   * something by the change, how many targets it alters, and which policies affect the object. There are at most five, with at most 120
   * characters each, as Kubernetes recommends: long names lose their middle.
   */
  readonly warnings: readonly string[];
  /** Why a policy could be refused: it would conflict with another. Empty for other objects. */
  readonly conflicts: readonly string[];
}

/**
 * What a warning is about:
 * - `overridden`: what the policy itself would not get, and what overrides it.
 * - `impact`: what the change does to other policies, and to many targets; what the fields of a deleted policy fall back to.
 * - `affected`: which policies affect the object.
 */
export type WarningSubject = 'overridden' | 'impact' | 'affected';

/** How much is said of a change. */
export interface AdmissionReviewLimits {
  /** What to warn of. Default: everything. */
  readonly warn?: readonly WarningSubject[];
  /**
   * Which other policies and targets are named: those in the namespace of the object and those without a namespace (`own-namespace`, the
   * default), or `all`. The others are counted. The sender of a request reads the answer, and may not be allowed to read other namespaces.
   */
  readonly names?: 'own-namespace' | 'all';
  /**
   * With a trial: the number of contexts of one kind of policies up to which the effects of the change on other policies are listed. Of a change
   * that touches more, a warning says only that. Default 10,000.
   */
  readonly maxContexts?: number;
  /** The number of targets from which a warning says how many effective policies a change alters. Default 10. */
  readonly manyTargets?: number;
}

/** How an object changes, and how much is said of that. */
export interface AdmissionReviewOptions extends AdmissionReviewLimits {
  /** The operation of the request: `DELETE` removes the object, others apply it. Default: it is applied. */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
}

/** How a request is answered. */
export interface AdmissionAnswerOptions extends AdmissionReviewLimits {
  /** What is refused: a policy that the request brings into conflict (`conflicts`, the default), or `nothing`. */
  readonly refuse?: 'conflicts' | 'nothing';
}
