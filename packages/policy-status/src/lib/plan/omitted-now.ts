import { ancestorLimitType } from '@policy-machinery/conditions/inner';
import type { DeclaredPolicy, EffectivePolicies } from '@policy-machinery/effective-policy';
import { groupKindKey, type JsonObject, objectsIn } from '@policy-machinery/resource';
import { statusOf } from '../status/status-of.ts';
import { OmittedAncestors } from './omitted-ancestors.ts';
import type { PlanSettings } from './plan-options.ts';
import { type PolicyPlan, planPolicies } from './plan-policies.ts';
import type { PlanScope } from './scope.ts';

/** The number of entries that the status of a policy holds. */
const maxAncestors = 16;

/**
 * Returns the ancestors in scope that do not fit in the statuses of policies, as an earlier plan wrote them: a policy without room for an
 * ancestor has a full status, and the ancestor has a condition about it. Ancestors with conditions that may
 * differ are added to the scope.
 *
 * @param view The effective policies.
 * @param plan The plan for the policies in scope.
 * @param scope The scope of the plan.
 * @returns The ancestors. O(policies, and contexts of those with a full status that may concern an object in scope); where one of the
 * policies in scope is gone or full, also O(objects of the kinds of ancestors).
 */
export function omittedNow(
  view: EffectivePolicies<unknown>,
  plan: PolicyPlan,
  scope: PlanScope,
  settings: PlanSettings,
): OmittedAncestors {
  const ancestors = new OmittedAncestors(view);
  const full = view.policies.filter(isFull);
  const isGoneOrFull = (locator: string): boolean => {
    const declared = view.policy(locator);
    return declared === undefined || isFull(declared);
  };
  const mayHaveRoom = [...scope.policies].some(isGoneOrFull) ? signalling(view, settings) : [];
  for (const locator of [...ancestors.set(plan.omitted), ...mayHaveRoom]) scope.affectedObjects.add(locator);
  const mayConcern = concerning(view, scope.affectedObjects);
  const others = full.filter((it) => !scope.policies.has(it.node.locator) && mayConcern(it));
  if (others.length > 0) {
    const locators = new Set(others.map(({ node }) => node.locator));
    ancestors.set(planPolicies(view, settings, locators).omitted, locators);
  }
  return ancestors;
}

function isFull({ node }: DeclaredPolicy<unknown>): boolean {
  return objectsIn(statusOf(node.resource).ancestors).length >= maxAncestors;
}

/** Returns a test of whether one of some objects may be an ancestor of a policy: an object of a kind of ancestors, or a target of the policy. */
function concerning(
  { kind, topology }: EffectivePolicies<unknown>,
  objects: ReadonlySet<string>,
): (policy: DeclaredPolicy<unknown>) => boolean {
  const keys = new Set(kind.ancestors.map(groupKindKey));
  const isAncestor = (locator: string): boolean => {
    const node = topology.get(locator);
    return node !== undefined && keys.has(groupKindKey(node.ref));
  };
  const concernsAll = [...objects].some(isAncestor);
  return ({ node }) =>
    concernsAll || node.attachments.some(({ target }) => target !== undefined && objects.has(target.object.locator));
}

/** Returns the locators of ancestors with a condition that reports policies without room for them. */
function signalling(
  { topology, kind }: EffectivePolicies<unknown>,
  { controllerName }: PlanSettings,
): readonly string[] {
  const type = ancestorLimitType(controllerName, kind.kind);
  const isSignal = (holder: JsonObject) => objectsIn(holder.conditions).some((condition) => condition.type === type);
  return Array.from(topology.targetsOf(kind.ancestors)).flatMap(({ locator, resource }) => {
    const status = statusOf(resource);
    return isSignal(status) || objectsIn(status.parents).some(isSignal) ? [locator] : [];
  });
}
