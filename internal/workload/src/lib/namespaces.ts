import { Namespace } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** The label by which some Gateways select the namespaces whose routes they let in. */
export const accessLabel = 'gateway-access';

/** Whether a Namespace is let in by the Gateways that select. */
export type Access = 'shared' | 'none';

/** Returns a new Namespace. */
export function newNamespace({ random, server }: World, name: string, access?: Access): KubernetesObject {
  return server.create(Namespace, { name, labels: namespaceLabels(random, name, access) });
}

/** Labels that a Namespace may have. */
export function namespaceLabels(
  random: Random,
  name: string,
  access: Access = random.chance(0.6) ? 'shared' : 'none',
): Readonly<Record<string, string>> {
  const tier = random.pick(['prod', 'staging', 'dev']);
  return { [accessLabel]: access, 'kubernetes.io/metadata.name': name, tier };
}
