import type { PolicyOutcome } from '@policy-machinery/conditions';
import type { AttachmentOutcome } from '@policy-machinery/topology';

/** The outcome of a policy for each outcome of an attachment; `undefined` if the attachment alone does not decide. */
export const attachmentOutcomes: Readonly<Record<AttachmentOutcome, PolicyOutcome | undefined>> = {
  Attached: undefined,
  Malformed: 'invalid',
  TargetNotFound: 'target-not-found',
  SectionNotFound: 'section-not-found',
  UnsupportedTarget: 'invalid',
  CrossNamespaceRefused: 'reference-not-permitted',
  ClusterScopeRefused: 'reference-not-permitted',
  ReferenceNotPermitted: 'reference-not-permitted',
  NothingSelected: 'target-not-found',
  TooManyPolicies: 'conflicted', // Older ones have its place.
  ManagedElsewhere: undefined, // Its status is not ours to write.
  Undecided: 'undecided',
};

/** The order of urgency: if no outcome is in force, the first of these that occurs is the outcome as a whole. */
const urgency: readonly PolicyOutcome[] = [
  'invalid',
  'reference-not-permitted',
  'target-not-found',
  'section-not-found',
  'conflicted',
  'undecided',
  'overridden',
  'pending',
];

/**
 * Combines several outcomes of a policy: it is partly in force if only some are in force. Targets with nothing below them do not
 * count beside others, nor do undecided ones beside targets where it is in force.
 *
 * @param outcomes The outcomes in its scopes, or for its targets.
 * @returns The outcome as a whole; `not-in-any-path` for no outcomes.
 */
export function combineOutcomes(outcomes: Iterable<PolicyOutcome>): PolicyOutcome {
  const distinct = new Set(outcomes);
  distinct.delete('not-in-any-path');
  const [first = 'not-in-any-path'] = distinct;
  if (distinct.size <= 1) return first;
  if (distinct.has('enforced') || distinct.has('partly-enforced')) {
    distinct.delete('undecided');
    return distinct.size > 1 ? 'partly-enforced' : ([...distinct][0] ?? first);
  }
  return urgency.find((outcome) => distinct.has(outcome)) ?? first;
}
