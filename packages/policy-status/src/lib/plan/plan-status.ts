// plan/: the statuses to write. Takes effective policies and changes, and returns the writes to policies and to objects that policies affect. The
// scope of a plan is the policies and objects that it covers; an ancestor is omitted if it does not fit in the status of a policy.

import { groupKindKey } from '@policy-machinery/resource';
import { type EffectivePoliciesInput, topologyOf, viewsIn } from '../effective-policies-input.ts';
import { completenessOf } from './completeness.ts';
import { OmittedAncestors } from './omitted-ancestors.ts';
import { omittedNow } from './omitted-now.ts';
import { type PlanStatusOptions, settingsOf } from './plan-options.ts';
import type { PolicyPlan } from './plan-policies.ts';
import { planWork } from './plan-work.ts';
import { everything, PlanScope, scopesOf } from './scope.ts';
import type { StatusPlan } from './status-plan.ts';

/**
 * Plans the minimal set of writes that make statuses accurate: the outcome of each policy, and conditions on the objects that policies
 * affect, together with the status that the kind of an object defines. Conditions and entries of other controllers stay unchanged, and
 * those that no longer apply are removed. Once the writes are carried out, a new plan is empty.
 *
 * @param effective The effective policies of one kind, or of several of the same topology.
 * @param options The controller, the time, and how statuses are written.
 * @returns The writes. O(contexts + targets); with `changes`, O(objects and policies that they name, and contexts of these policies).
 * @throws {PolicyMachineryError} `different-topologies`, if they belong to several topologies, or there are none;
 * `invalid-controller-name`.
 * @example
 * ```ts
 * const { writes } = planStatus(effectivePolicies(topology, TimeoutPolicy), { controllerName: 'example.com/timeouts', now: new Date() });
 * for (const { locator, patch } of writes) console.log(locator, patch);
 * ```
 */
export function planStatus(effective: EffectivePoliciesInput, options: PlanStatusOptions): StatusPlan {
  const views = viewsIn(effective);
  const topology = topologyOf(views);
  const { changes, now, ...rest } = options;
  const settings = { ...settingsOf(rest), now };
  const changed = changes === undefined ? undefined : scopesOf(changes);
  const { complete, missing } = completenessOf(views);
  const work = [...complete].map((view) => {
    if (changed === undefined) {
      const omittedAfter = ({ omitted }: PolicyPlan) => new OmittedAncestors(view, omitted);
      return { view, scope: new PlanScope().add(everything(view)), omittedAfter };
    }
    const scope = changed.get(groupKindKey(view.kind)) ?? new PlanScope();
    return { view, scope, omittedAfter: (plan: PolicyPlan) => omittedNow(view, plan, scope, settings) };
  });
  return { ...planWork(work, topology, views, settings), ...missing };
}
