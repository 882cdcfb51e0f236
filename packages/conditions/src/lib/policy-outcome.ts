/**
 * How a policy in force is merged with others:
 * - `merged`: wherever the policy has lost anything, it is merged with the policies that hold it; elsewhere it holds all its
 *   fields.
 * - `partly-merged`: the policy is merged with others in some of its scopes, and overridden in others.
 */
export type Merging = 'merged' | 'partly-merged';

/**
 * The outcome of a policy, in words that do not depend on a dialect:
 * - `enforced`: all of its fields are in force, in all of its scopes.
 * - `partly-enforced`: some of its fields are in force, or all in some of its scopes; other policies supersede the rest.
 * - `overridden`: no field is in force in any scope.
 * - `conflicted`: rejected, because another policy holds its target and they cannot be merged.
 * - `invalid`: rejected because of its content.
 * - `target-not-found`, `section-not-found`: the target does not exist.
 * - `reference-not-permitted`: the target is in another namespace, without a grant; whether it exists is not disclosed.
 * - `not-in-any-path`: accepted, but there is nothing that the policy can affect.
 * - `pending`: accepted, but not computed.
 * - `undecided`: it depends on objects that need not have been given, such as a target in another repository, or on another fact that is not known,
 * such as
 *   the age of a policy or a choice of the data plane. No status says so.
 */
export type PolicyOutcome =
  | 'enforced'
  | 'partly-enforced'
  | 'overridden'
  | 'conflicted'
  | 'invalid'
  | 'target-not-found'
  | 'section-not-found'
  | 'reference-not-permitted'
  | 'not-in-any-path'
  | 'pending'
  | 'undecided';

/** The outcomes that statuses report. */
export type ReportedOutcome = Exclude<PolicyOutcome, 'undecided'>;
