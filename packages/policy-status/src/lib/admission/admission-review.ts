/** The review of a change. */
export interface AdmissionReview {
  /**
   * Warnings for the owner of the object, the worst first: what a policy would not get and what overrides it, which other policies lose
   * something by the change, and which policies affect the object. There are at most five, with at most 256 characters each, because
   * the API server truncates longer ones.
   */
  readonly warnings: readonly string[];
  /** Why a policy could be refused: it would conflict with another. Empty for other objects. */
  readonly conflicts: readonly string[];
}

/** How an object changes, and how much is said of that. */
export interface AdmissionReviewOptions {
  /** The operation of the request: `DELETE` removes the object, others apply it. Default: it is applied. */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  /**
   * With a trial: the number of contexts of one kind of policies up to which the effects of the change on other policies are listed. Of a change
   * that touches more, a warning says only that. Default 10,000.
   */
  readonly maxContexts?: number;
}
