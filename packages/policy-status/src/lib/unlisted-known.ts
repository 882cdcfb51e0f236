import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { UnlistedAncestors } from './limit-signals.ts';
import { type PolicyPlan, planPolicies } from './plan-policies.ts';
import type { PlanSettings } from './plan-status.ts';

/** What is known of effective policies since they were planned last. */
const known = new WeakMap<EffectivePolicies<unknown>, { readonly key: string; readonly unlisted: UnlistedAncestors }>();

/** Ancestors for which there is no room. */
export interface Unlisted {
  readonly unlisted: UnlistedAncestors;
  /** Locators of those of which something else may be to be said than after the last plan. */
  readonly touched: ReadonlySet<string>;
}

/**
 * The ancestors for which the statuses of policies have no room: of those that were planned now, and of all others as it was when
 * they were planned last.
 *
 * @param only Locators of the policies that were planned now. Default: all.
 */
export function unlistedAncestors(
  effective: EffectivePolicies<unknown>,
  plan: PolicyPlan,
  settings: PlanSettings,
  only: ReadonlySet<string> | undefined,
): Unlisted {
  const { controllerName, rendering, overflow, unknownTarget } = settings;
  const key = [controllerName, rendering, overflow, unknownTarget].join(' ');
  const before = known.get(effective);
  if (only !== undefined && before?.key === key) {
    return { unlisted: before.unlisted, touched: before.unlisted.set(plan.unlisted, only) };
  }
  const unlisted = new UnlistedAncestors(effective);
  const touched = unlisted.set((only === undefined ? plan : planPolicies(effective, settings)).unlisted);
  known.set(effective, { key, unlisted });
  return { unlisted, touched };
}
