/**
 * How a policy in force is merged with others:
 * - `merged`: where it has lost anything, it is merged with those who have that; elsewhere it holds all that it says.
 * - `partly-merged`: it is merged with others in some of its scopes, and overridden in others.
 */
export type Merging = 'merged' | 'partly-merged';

/**
 * What has become of a policy, in words that belong to no dialect (S-06, X-14):
 * - `enforced`: all of its fields, in all of its scopes.
 * - `partly-enforced`: some of its fields, or some of its scopes; others have superseded the rest.
 * - `overridden`: no field in any scope.
 * - `conflicted`: rejected, since another policy holds its target and they cannot be merged.
 * - `invalid`: rejected for what it says.
 * - `target-not-found`, `section-not-found`: what it targets is not there (T-13, T-21).
 * - `reference-not-permitted`: it targets something in another namespace without a grant; whether that is there stays
 *   untold (T-25).
 * - `not-in-any-path`: accepted, but nothing that it could have an effect on is there.
 * - `pending`: accepted, and not yet worked out.
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
  | 'pending';
