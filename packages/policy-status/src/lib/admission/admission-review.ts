/** What an admission webhook may answer. */
export interface AdmissionReview {
  /**
   * What the owner of the object should know, the worst first: what a policy would not get and who overrides it, which other policies
   * lose something by the change, and which policies affect the object. At most five, of at most 256 characters each: the API
   * server cuts off what is longer.
   */
  readonly warnings: readonly string[];
  /** Why a policy could be refused: it would be in conflict with another. Empty for anything else. */
  readonly conflicts: readonly string[];
}

/** What is about to happen to an object. */
export interface AdmissionReviewOptions {
  /** What the request does to the object: `DELETE` removes it, all else applies it. Default: it is applied. */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
}
