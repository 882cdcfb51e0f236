import type { PolicyOutcome } from '@policy-machinery/conditions';
import type { ScopeGroup } from '@policy-machinery/effective-policy';
import type { ResourceRef } from '@policy-machinery/resource';

/** Scopes of a policy that share an outcome. */
export type Scopes = readonly ScopeGroup<unknown>[];

/** One thing to report about a policy, before findings are combined by ancestor. */
export interface Finding {
  /** The ancestor to report it for; `undefined` if it only counts for the policy as a whole. */
  readonly ancestor: ResourceRef | undefined;
  readonly outcome: PolicyOutcome;
  /** Whether the policy is attached to something there. */
  readonly isReached: boolean;
  /** The scopes with this outcome, or a message about something other than scopes. */
  readonly said: Scopes | string;
  /** The reason from the controller's verdict. */
  readonly reason?: string | undefined;
}
