import type { PolicyOutcome } from '@policy-machinery/conditions';
import type { PolicyShare } from '@policy-machinery/effective-policy';
import type { ResourceRef } from '@policy-machinery/resource';

/** One thing to report about a policy, before findings are combined by ancestor. */
export interface Finding {
  /** The ancestor to report it for; `undefined` if it only counts for the policy as a whole. */
  readonly ancestor: ResourceRef | undefined;
  readonly outcome: PolicyOutcome;
  /** Whether the policy is attached to something there. */
  readonly isReached: boolean;
  /** The shares of the policy in the scopes with this outcome, many of which have the same; or a message about something other than scopes. */
  readonly details: ReadonlySet<PolicyShare<unknown>> | string;
  /** The target that it is about, whether it exists or not; `undefined` if it is about the policy itself, or about a selector. */
  readonly on?: ResourceRef | undefined;
  /** The reason from the controller's verdict. */
  readonly reason?: string | undefined;
}
