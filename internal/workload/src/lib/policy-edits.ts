import {
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  namespaceOf,
  specOf,
} from '@policy-machinery/resource';
import type { ChangingWorld } from './edit.ts';
import { newPolicy, type PolicyHabits } from './policies.ts';
import { pickTargets } from './targets.ts';

/** Returns a policy that says something else about its targets. */
export function respecified(
  { random, server }: ChangingWorld,
  policy: KubernetesObject,
  { newSpec }: PolicyHabits,
): KubernetesObject {
  const { targetRefs } = specOf(policy);
  return server.respec(policy, { ...(targetRefs === undefined ? {} : { targetRefs }), ...newSpec(random) });
}

/** Returns a policy with other targets in its namespace; one in ten has none that exists. */
export function retargeted(
  world: ChangingWorld,
  policy: KubernetesObject,
  { levels }: PolicyHabits,
): KubernetesObject | undefined {
  const targets = world.random.chance(0.1) ? nowhere : pickTargets(world, levels, namespaceOf(policy))?.targetRefs;
  if (targets === undefined) return undefined;
  return world.server.respec(policy, { ...specOf(policy), targetRefs: targets });
}

const nowhere: readonly JsonObject[] = [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'missing' }];

/** Returns a policy that is wrong in some way, though its targets may be right. */
export function broken({ random, server }: ChangingWorld, policy: KubernetesObject): KubernetesObject {
  const { targetRefs = [] } = specOf(policy);
  return server.respec(policy, random.pick(invalidSpecs)(targetRefs));
}

/** Returns a new policy that is wrong from the start. */
export function newInvalidPolicy(
  world: ChangingWorld,
  name: string,
  habits: PolicyHabits,
): KubernetesObject | undefined {
  const policy = newPolicy(world, name, habits);
  return policy === undefined ? undefined : broken(world, policy);
}

const invalidSpecs: readonly ((targetRefs: JsonValue) => JsonValue)[] = [
  (targetRefs) => ({ targetRefs, nonsense: 1 }),
  (targetRefs) => ({ targetRefs, timeouts: 'soon', keepAlive: 'often' }),
  (targetRefs) => ({ targetRefs, strategy: 'magic', mergeType: 'magic' }),
  () => ({ targetRefs: 'everything' }),
  () => ({ targetRefs: [{ group: '', kind: 'ConfigMap', name: 'settings' }] }),
  () => ({}),
  () => null,
];
