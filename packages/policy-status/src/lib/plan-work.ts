import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import type { UnlistedAncestors } from './limit-signals.ts';
import { planAffected } from './plan-affected.ts';
import { type PolicyPlan, planPolicies } from './plan-policies.ts';
import type { PlannedWrites, PlanSettings } from './plan-status.ts';

/** What has to be looked at for the policies of one kind. */
export interface Work {
  readonly view: EffectivePolicies<unknown>;
  /** What of it; `all` where nothing has been looked at yet. */
  readonly scope: Scope;
  /** Says for which ancestors policies have no room, when those in scope have been planned. */
  readonly unlistedWith: (plan: PolicyPlan) => Unlisted;
}

/** Locators of policies, of objects that policies may affect otherwise, and of those whose own status may say something else. */
export type Scope =
  | 'all'
  | {
      readonly policies: ReadonlySet<string>;
      readonly objects: ReadonlySet<string>;
      readonly statuses: ReadonlySet<string>;
    };

/** The ancestors for which policies have no room. */
export interface Unlisted {
  readonly ancestors: UnlistedAncestors;
  /** Locators of those of which the status may have to say something else than before. */
  readonly touched: Iterable<string>;
}

/**
 * Plans the writes for what has to be looked at.
 *
 * @param views The effective policies whose conditions are the controller's own, whether or not there is work for them.
 */
export function planWork(
  work: readonly Work[],
  topology: Topology,
  views: readonly EffectivePolicies<unknown>[],
  settings: PlanSettings,
): PlannedWrites {
  const policies = work.map(({ view, scope }) =>
    planPolicies(view, settings, scope === 'all' ? undefined : scope.policies),
  );
  const unlisted = new Map(
    work.map(({ view, unlistedWith }, index) => [view, unlistedWith(policies[index] as PolicyPlan)]),
  );
  const affected = planAffected(objectsOf(work, unlisted, topology), unlisted, views, settings);
  const plans = [...policies, affected];
  return { writes: plans.flatMap(({ writes }) => writes), refused: plans.flatMap(({ refused }) => refused) };
}

type Views = readonly EffectivePolicies<unknown>[];

/** The objects in scope in the order of their locators, each with the kinds of policies for which it is. */
function objectsOf(
  work: readonly Work[],
  unlisted: ReadonlyMap<EffectivePolicies<unknown>, Unlisted>,
  topology: Topology,
): ReadonlyMap<TargetNode, Views> {
  const everywhere = work.flatMap(({ view, scope }) => (scope === 'all' ? [view] : []));
  if (everywhere.length === work.length) return atAll(topology, everywhere);
  const objects = new Map<TargetNode, Set<EffectivePolicies<unknown>>>();
  for (const { view, scope } of work) {
    if (scope === 'all') continue;
    for (const locator of scope.statuses) {
      const node = topology.get(locator);
      if (node !== undefined && !objects.has(node)) objects.set(node, new Set());
    }
    for (const locator of [...scope.objects, ...(unlisted.get(view)?.touched ?? [])]) {
      const node = topology.get(locator);
      if (node !== undefined) objects.set(node, (objects.get(node) ?? new Set()).add(view));
    }
  }
  if (everywhere.length > 0) {
    return new Map(Array.from(topology.targets, (node) => [node, [...everywhere, ...(objects.get(node) ?? [])]]));
  }
  return new Map([...objects].sort(([a], [b]) => (a.locator < b.locator ? -1 : 1)).map(([it, of]) => [it, [...of]]));
}

function atAll({ targets }: Topology, views: Views): ReadonlyMap<TargetNode, Views> {
  return new Map(views.length === 0 ? [] : Array.from(targets, (target) => [target, views] as const));
}
