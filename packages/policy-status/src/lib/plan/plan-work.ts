import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import type { OmittedAncestors } from './omitted-ancestors.ts';
import { planObjects } from './plan-objects.ts';
import type { PlanSettings } from './plan-options.ts';
import { type PolicyPlan, planPolicies } from './plan-policies.ts';
import type { PlanScope } from './scope.ts';
import type { PlannedWrites } from './status-plan.ts';

/** The part of a plan that is about the policies of one kind. */
export interface Work {
  readonly view: EffectivePolicies<unknown>;
  readonly scope: PlanScope;
  /**
   * Returns the ancestors that do not fit in the statuses of policies, after planning those in scope. May add objects that get different
   * conditions to the scope.
   */
  readonly omittedAfter: (plan: PolicyPlan) => OmittedAncestors;
}

/**
 * Plans the writes for some work.
 *
 * @param views The effective policies with conditions that the controller owns, with or without work.
 */
export function planWork(
  work: readonly Work[],
  topology: Topology,
  views: readonly EffectivePolicies<unknown>[],
  settings: PlanSettings,
): PlannedWrites {
  const policies = work.map(({ view, scope }) => planPolicies(view, settings, scope.policies));
  const omitted = new Map(
    work.map(({ view, omittedAfter }, index) => [view, omittedAfter(policies[index] as PolicyPlan)]),
  );
  const affected = planObjects(objectsOf(work, topology), omitted, views, settings);
  const plans = [...policies, affected];
  return { writes: plans.flatMap(({ writes }) => writes), refused: plans.flatMap(({ refused }) => refused) };
}

/** Returns the objects in scope in the order of their locators, each with the names of the kinds of policies that have it in scope. */
function objectsOf(work: readonly Work[], topology: Topology): ReadonlyMap<TargetNode, ReadonlySet<string>> {
  const objects = new Map<TargetNode, Set<string>>();
  for (const { view, scope } of work) {
    for (const locator of scope.statuses) {
      const node = topology.get(locator);
      if (node !== undefined && !objects.has(node)) objects.set(node, new Set());
    }
    for (const locator of scope.affectedObjects) {
      const node = topology.get(locator);
      if (node !== undefined) objects.set(node, (objects.get(node) ?? new Set()).add(view.kind.kind));
    }
  }
  return new Map([...objects].sort(([a], [b]) => (a.locator < b.locator ? -1 : 1)));
}
