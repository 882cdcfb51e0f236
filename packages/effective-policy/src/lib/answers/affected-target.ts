import type { Policy } from '@policy-machinery/policy-kind';
import type { TargetNode } from '@policy-machinery/topology';
import { none } from '../support/nothing.ts';
import type { AffectedTarget, Affecting } from './affected.ts';
import type { ViewState } from './view-state.ts';

/** Returns a target with the policies that affect it. */
export function affectedTarget<Spec>(
  state: ViewState<Spec>,
  target: TargetNode,
  affecting: Affecting,
): AffectedTarget<Spec> {
  if (affecting.size === 0) return { target, policies: none };
  const policies = declaredPolicies(state, affecting.keys()).map((policy) => ({
    policy,
    parents: affecting.get(policy.locator) ?? new Set<TargetNode>(),
  }));
  return { target, policies };
}

/** Returns policies by their locators, established first. */
export function declaredPolicies<Spec>(
  { kind, levels }: ViewState<Spec>,
  locators: Iterable<string>,
): readonly Policy<Spec>[] {
  const policies = Array.from(locators, (locator) => levels.policy(locator)?.policy);
  return policies.filter((policy) => policy !== undefined).sort(kind.order.compare);
}
