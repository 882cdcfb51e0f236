import { ancestorLimitType } from '@policy-machinery/conditions';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { type JsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { isSectionKind } from '@policy-machinery/topology';
import { statusOf } from './fields-of.ts';
import { UnlistedAncestors } from './limit-signals.ts';
import { type PolicyPlan, planPolicies } from './plan-policies.ts';
import type { PlanSettings } from './plan-status.ts';
import type { Unlisted } from './plan-work.ts';

/** How many entries the status of a policy holds (S-10). */
const maxAncestors = 16;

/**
 * The ancestors for which policies have no room, read from statuses as an earlier plan has left them: a policy that has no room for an
 * ancestor has a full status, and the ancestor says so.
 *
 * @param view The effective policies.
 * @param plan What is planned for the policies that have changed.
 * @param changed Locators of these.
 * @returns Them. O(policies, and contexts of those with a full status); where one of those that have changed is gone or full, also
 * O(objects of the kinds that it may target).
 */
export function unlistedNow(
  view: EffectivePolicies<unknown>,
  plan: PolicyPlan,
  changed: ReadonlySet<string>,
  settings: PlanSettings,
): Unlisted {
  const full = view.policies.filter(({ node }) => isFull(node.resource)).map(({ node }) => node.locator);
  const others = new Set(full.filter((locator) => !changed.has(locator)));
  const ancestors = new UnlistedAncestors(view);
  const touched = ancestors.set(plan.unlisted);
  if (others.size > 0) ancestors.set(planPolicies(view, settings, others).unlisted, others);
  const mayHaveRoom = [...changed].some((locator) => full.includes(locator) || view.policy(locator) === undefined);
  return { ancestors, touched: mayHaveRoom ? [...touched, ...signalling(view, settings)] : touched };
}

function isFull(policy: KubernetesObject): boolean {
  return objectsIn(statusOf(policy).ancestors).length >= maxAncestors;
}

/** Locators of the objects that say that policies have no room for them. */
function signalling(
  { topology, kind }: EffectivePolicies<unknown>,
  { controllerName }: PlanSettings,
): readonly string[] {
  const type = ancestorLimitType(controllerName, kind.kind);
  const isSignal = (holder: JsonObject) => objectsIn(holder.conditions).some((condition) => condition.type === type);
  const wanted = new Set([...kind.targets.map((it) => (isSectionKind(it) ? it.of : it)), ...kind.ancestors]);
  return Array.from(topology.targetsOf(wanted)).flatMap(({ locator, resource }) => {
    const status = statusOf(resource);
    return isSignal(status) || objectsIn(status.parents).some(isSignal) ? [locator] : [];
  });
}
