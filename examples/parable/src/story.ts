import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { planStatus, type StatusPlan } from '@policy-machinery/policy-status';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { Colors } from '@policy-machinery/text';
import type { Topology } from '@policy-machinery/topology';
import { carryOut } from './carry-out.ts';
import { operatorAsks } from './operator-asks.ts';
import { ownerAsks } from './owner-asks.ts';
import { RetryPolicy } from './retry-policy.ts';
import type { Retries } from './retry-schema.ts';
import { controllerName, countByKind, patchLines, whatStatusesSay } from './statuses.ts';

/** A fixed time, so that the output is always the same. */
export const now = new Date('2026-06-17T14:20:00Z');

/** The route of the application's owner. */
export const route = 'httproute.gateway.networking.k8s.io:parcels/tracking';

/** The policy for the whole namespace. */
export const policy = 'retrypolicy.retries.example.com:parcels/steady';

const edgePolicy = 'retrypolicy.retries.example.com:infra/edge-once';

/** The resources whose statuses are shown: policies, and some of the objects that they affect. */
const shown = [
  policy,
  edgePolicy,
  'service:parcels/tracking',
  'service:parcels/audit',
  'service:parcels/ledger',
  route,
  'namespace:parcels',
];

/**
 * Tells the parable in four parts.
 *
 * @param topology The cluster. It is changed: statuses are written, and the policy for the whole namespace is removed.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function tell(topology: Topology, colors: Colors): string {
  const effective = effectivePolicies(topology, RetryPolicy);
  const plan = planFor(topology);
  const example = plan.writes.filter(({ locator }) => locator === 'service:parcels/tracking');
  const parts = [
    colors.bold("1. The application's owner asks: what applies to my route, HTTPRoute parcels/tracking?"),
    ...ownerAsks(effective, route, colors),
    '',
    colors.bold('2. Owners learn it without asking: the controller writes statuses'),
    `  Planned: ${writesIn(plan)}; the write to Service parcels/tracking is this JSON Patch:`,
    ...example.flatMap(patchLines),
    ...carriedOut(topology, plan, colors),
    '',
    colors.bold("3. The cluster's operator asks: what would removing RetryPolicy parcels/steady do?"),
    ...operatorAsks(effectivePolicies(topology, RetryPolicy), policy, colors),
    '',
    colors.bold('4. Everyone affected is informed, and the operator removes the policy'),
    ...removed(topology, colors),
  ];
  return `${parts.join('\n')}\n`;
}

/** Returns what the controller would write now. */
export function planFor(topology: Topology): StatusPlan {
  return planStatus(effectivePolicies(topology, RetryPolicy), { controllerName, affected: 'all', now });
}

function writesIn({ writes }: StatusPlan): string {
  return writes.length === 0 ? 'no writes' : `${writes.length} writes (${countByKind(writes)})`;
}

/** Carries out a plan, and returns what the statuses say afterwards. */
function carriedOut(topology: Topology, plan: StatusPlan, colors: Colors): readonly string[] {
  carryOut(topology, plan);
  return [
    '  After these writes, the statuses are:',
    ...whatStatusesSay(resourcesIn(topology, shown), colors),
    `  Planned again: ${writesIn(planFor(topology))}`,
  ];
}

function removed(topology: Topology, colors: Colors): readonly string[] {
  topology.apply({ remove: [policy] });
  const effective = effectivePolicies(topology, RetryPolicy);
  const plan = planFor(topology);
  return [
    ...ownerAsks(effective, route, colors),
    ...[policy, edgePolicy].map((locator) => `  ${reachOf(effective, locator)}`),
    `  Planned: ${writesIn(plan)}`,
    ...carriedOut(topology, plan, colors),
  ];
}

function reachOf(effective: EffectivePolicies<Retries>, locator: string): string {
  const scopes = effective.reach(locator);
  const outcomes = new Set(scopes.map(({ outcome }) => outcome));
  const where = scopes.length === 0 ? 'applies nowhere' : `${[...outcomes].join(' or ')} in ${scopes.length} scopes`;
  return `RetryPolicy ${locator.replace(/^.*:/, '')}: ${where}`;
}

/** Returns the current resources with these locators, without those that no longer exist. */
function resourcesIn(topology: Topology, locators: readonly string[]): readonly KubernetesObject[] {
  const policies = new Map(topology.policies().map(({ locator, resource }) => [locator, resource]));
  return locators.flatMap((locator) => topology.get(locator)?.resource ?? policies.get(locator) ?? []);
}
