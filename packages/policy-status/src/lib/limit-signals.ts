import { ancestorLimitReached, ancestorLimitType, type ConditionUpdate } from '@policy-machinery/conditions';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { objectsIn } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { statusOf } from './fields-of.ts';
import type { PlanSettings } from './plan-status.ts';
import { policyName } from './policy-name.ts';
import type { AncestorReport, PolicyReport } from './policy-report.ts';

/** An ancestor for which the status of a policy has no room, so that it must be told there (S-10). */
export interface UnlistedAncestor {
  readonly policy: PolicyReport['policy'];
  readonly ancestorRef: AncestorReport['ancestorRef'];
}

/** What is to be said on ancestors for which policies have no room in their status (S-10, N-02). */
export function limitSignals(
  unlisted: readonly UnlistedAncestor[],
  domain: string,
  topology: Topology,
): ReadonlyMap<TargetNode, readonly ConditionUpdate[]> {
  const policies = new Map<TargetNode, Map<string, string[]>>();
  for (const { policy, ancestorRef } of unlisted) {
    const object = topology.get(ancestorRef)?.object;
    if (object === undefined) continue;
    const byType = policies.get(object) ?? new Map<string, string[]>();
    policies.set(object, byType);
    const type = ancestorLimitType(domain, policy.kind.kind);
    const names = byType.get(type) ?? [];
    byType.set(type, names);
    names.push(policyName(policy));
  }
  const conditionsOf = (byType: ReadonlyMap<string, readonly string[]>) =>
    [...byType].flatMap(([type, names]) => ancestorLimitReached(type, names));
  return new Map([...policies].map(([object, byType]) => [object, conditionsOf(byType)]));
}

/** Whether the status of an object says that there was no room for it in the statuses of policies of a kind. */
export function bearsSignal(
  { resource }: TargetNode,
  { kind }: EffectivePolicies<unknown>,
  { controllerName }: PlanSettings,
): boolean {
  const type = ancestorLimitType(controllerName, kind.kind);
  const { conditions, parents } = statusOf(resource);
  const lists = [conditions, ...objectsIn(parents).map((parent) => parent.conditions)];
  return lists.some((list) => objectsIn(list).some((condition) => condition.type === type));
}
