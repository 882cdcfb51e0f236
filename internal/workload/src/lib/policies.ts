import { Gateway, HTTPRoute, Namespace, Service } from '@policy-machinery/gateway-api';
import type { GroupKind, JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { newBackendSpec, newTrafficSpec } from './policy-specs.ts';
import type { Random } from './random.ts';
import { pickTargets, type Targets, type WeightedLevel } from './targets.ts';
import { BackendPolicy, TrafficPolicy } from './workload-kinds.ts';
import type { World } from './world.ts';

/** What policies of a kind say, and what they target. */
export interface PolicyHabits {
  readonly kind: GroupKind;
  /** Makes a spec proper with its stanzas and strategies: everything but the targets. */
  readonly newSpec: (random: Random) => JsonObject;
  readonly levels: readonly WeightedLevel[];
}

/** The habits of TrafficPolicies. */
export const trafficHabits: PolicyHabits = {
  kind: TrafficPolicy,
  newSpec: newTrafficSpec,
  levels: [
    { weight: 20, level: Gateway },
    { weight: 20, level: Gateway.sections.listener },
    { weight: 35, level: HTTPRoute },
    { weight: 25, level: HTTPRoute.sections.rule },
  ],
};

/** The habits of BackendPolicies. */
export const backendHabits: PolicyHabits = {
  kind: BackendPolicy,
  newSpec: newBackendSpec,
  levels: [
    { weight: 5, level: Namespace },
    { weight: 15, level: Gateway },
    { weight: 30, level: HTTPRoute },
    { weight: 35, level: Service },
    { weight: 15, level: Service.sections.port },
  ],
};

/** Returns a new policy on something; `undefined` where there is nothing of what chance has chosen. */
export function newPolicy(world: World, name: string, habits: PolicyHabits): KubernetesObject | undefined {
  const targets = pickTargets(world, habits.levels);
  return targets === undefined ? undefined : policyOn(world, name, habits, targets);
}

/** Returns a new policy on these targets. */
export function policyOn(
  { random, server }: World,
  name: string,
  { kind, newSpec }: Pick<PolicyHabits, 'kind' | 'newSpec'>,
  { namespace, targetRefs }: Targets,
): KubernetesObject {
  return server.create(kind, { name, namespace }, { spec: { targetRefs, ...newSpec(random) } });
}
