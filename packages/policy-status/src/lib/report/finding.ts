import type { PolicyOutcome } from '@policy-machinery/conditions';
import type { PolicyShare } from '@policy-machinery/effective-policy';
import type { ResourceRef } from '@policy-machinery/resource';

/** One thing to report about a policy, before findings are combined by ancestor. */
export interface Finding {
  /** The ancestors to report it for; none if it only counts for the policy as a whole. */
  readonly ancestors: readonly ResourceRef[];
  readonly outcome: PolicyOutcome;
  /** Whether the policy is attached to something there. Default: no. */
  readonly isReached?: boolean;
  /** The share of the policy in the scopes that it is about; or a message about something other than scopes. */
  readonly details: PolicyShare<unknown> | string;
  /** The target that it is about, whether it exists or not; `undefined` if it is about the policy itself, or about a selector. */
  readonly on?: ResourceRef | undefined;
  /** The reason from the controller's verdict. */
  readonly reason?: string | undefined;
}

/** Returns a finding about some ancestors; none without ancestors, because other controllers report it then. */
export function findingAt(ancestors: readonly ResourceRef[], about: Omit<Finding, 'ancestors'>): readonly Finding[] {
  return ancestors.length === 0 ? [] : [{ ancestors, ...about }];
}
