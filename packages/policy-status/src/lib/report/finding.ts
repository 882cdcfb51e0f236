import type { PolicyOutcome } from '@policy-machinery/conditions';
import type { ScopeGroup } from '@policy-machinery/effective-policy';
import type { ResourceRef } from '@policy-machinery/resource';

/** Scopes of a policy that share an outcome. */
export type Scopes = readonly ScopeGroup<unknown>[];

/** Something to be reported of a policy, before it is put together by ancestor. */
export interface Finding {
  /** Where it is to be said; `undefined` where it counts for the policy as a whole alone. */
  readonly ancestor: ResourceRef | undefined;
  readonly outcome: PolicyOutcome;
  /** Whether the policy is attached to something there. */
  readonly isReached: boolean;
  /** Scopes of which that is to be said, or what is to be said without any. */
  readonly said: Scopes | string;
  /** The reason that the controller gives, in a verdict. */
  readonly reason?: string | undefined;
}
